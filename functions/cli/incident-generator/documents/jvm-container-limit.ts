import { MEETING_ROOMS } from './unrelated.ts';

/** Pages about the image service and its containers, and one about meeting rooms. */
export const documents: ReadonlyMap<string, string> = new Map([
  [
    'image-api-memory.md',
    `# image-api memory budget

Owner: media team

- Container limit 3Gi, heap -Xmx2g, JDK 21, G1.
- Decoding happens outside the Java heap (libvips): some 30 to 60 MB per picture being worked on.
- With 8 workers that leaves a comfortable margin; the number of workers must not be raised without the limit.
- The JVM prints its options at start-up, -XX:+HeapDumpOnOutOfMemoryError among them. No dump was ever written.
`,
  ],
  [
    'kubernetes-restarts.md',
    `# 容器重启原因速查

维护：平台组

| 退出码 | 含义 |
| --- | --- |
| 0 | 正常退出 |
| 1 | 应用自己失败退出，日志里有堆栈 |
| 137 | 被 SIGKILL：多数是超过容器内存上限（OOMKilled） |
| 143 | 被 SIGTERM：发布或驱逐 |

Java 堆内存不足会在应用日志里留下 java.lang.OutOfMemoryError；超过容器上限则什么都来不及留下。
`,
  ],
  [
    'image-formats.md',
    `# Picture formats

Owner: media team

JPEG, PNG, WebP and, since November, AVIF. AVIF takes about three times the memory of JPEG to decode.
`,
  ],
  ['meeting-rooms.md', MEETING_ROOMS],
]);
