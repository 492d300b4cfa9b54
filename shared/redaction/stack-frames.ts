import type { Report } from './finding.ts';

/** Frames of stack traces; the exception, its message and `Caused by` are no frames and stay. */
export function findStackFrames(text: string, report: Report): void {
  for (const { gate, pattern } of FRAMES) {
    if (!gate.test(text)) continue;
    for (const match of text.matchAll(pattern)) {
      report({ start: match.index, end: match.index + match[0].length, kind: 'frame' });
    }
  }
}

interface FrameShape {
  readonly gate: RegExp;
  readonly pattern: RegExp;
}

const LEAD = '(?<=^|[\\s|>;,]|\\\\[nrt])';
const CALL = '\\((?:[^()\\n\\r\\\\"]|\\\\(?![nr"])){0,300}\\)';

const FRAMES: readonly FrameShape[] = [
  // Java, Kotlin, Scala, .NET: `at a.B.c(B.java:12) ~[b.jar:1.2]`, `at A.B.C(Int64 id) in D:\x.cs:line 8`.
  {
    gate: /at /,
    pattern: new RegExp(
      `${LEAD}at (?:async )?(?:[\\w.@-]{1,64}\\/{1,2}){0,2}[\\w$<>]{1,200}(?:\\.[\\w$<>\`~+#*\\[\\]-]{1,200}){1,20}${CALL}(?: in (?:[A-Za-z]:)?[^\\n\\r":]{1,256}:line \\d{1,7})?(?: ~?\\[[^\\]\\n]{0,160}\\])?`,
      'g',
    ),
  },
  // The same without its `at`: `stack=[a.B.c(B.java:12), a.B.d(B.java:13)]`.
  {
    gate: /\.(?:java|kt|scala|groovy|clj):\d/,
    pattern:
      /(?<![\w$.])[\w$]{1,100}(?:\.[\w$<>-]{1,200}){1,20}\([\w$]{1,100}\.(?:java|kt|scala|groovy|clj):\d{1,7}\)/g,
  },
  // JavaScript: `at f (/x.js:1:2)`, `at async /x.js:1:2`.
  {
    gate: /at [^\n]{0,300}:\d/,
    pattern: new RegExp(
      `${LEAD}at (?:async |new )?(?:[\\w$.<>@#\\[\\] -]{1,200} \\([^()\\n\\r"]{1,300}:\\d{1,7}(?::\\d{1,7})?\\)|(?:file:\\/\\/|node:|webpack:)?[\\w@.-]{0,80}[\\/\\\\][\\w@.\\/\\\\-]{1,300}:\\d{1,7}(?::\\d{1,7})?)`,
      'g',
    ),
  },
  // Python, with the line of source that follows.
  {
    gate: /File \\{0,15}"/,
    pattern:
      /File (\\{0,15})"[^"\n\r]{1,400}", line \d{1,7}(?:, in [\w.<>]{1,128})?(?:(?:\r?\n|\\{1,15}n) {4,12}(?! )(?!File )(?:[^\n\r\\"]|\\(?!n)["'\\]?){1,400})?/g,
  },
  // Go: the function line and the file line below it.
  {
    gate: /\.go:\d/,
    pattern:
      /(?:(?<=^|\n)(?:created by )?[\w./*()[\]{}@~-]{1,300}(?:\([^()\n]{0,200}\))?(?: in goroutine \d{1,9})?\r?\n\s{1,8})?(?<=^|[\s]|\\t)[\w./@~+-]{0,300}\/[\w./@~+-]{1,200}\.go:\d{1,7}(?: \+0x[0-9a-f]{1,16})?/g,
  },
  // PHP and gdb: `#0 /var/www/a.php(12): f()`, `#3 0x00007f… in f () from /lib/x.so`.
  {
    gate: /#\d/,
    pattern:
      /(?<=^|[\s|]|\\n)#\d{1,4}\s{1,3}(?:\/[^\s(]{1,300}\(\d{1,7}\): [^\n\r]{1,300}|0x[0-9a-f]{6,16} in [^\n\r]{1,300}|\{main\})/g,
  },
  // Ruby and Rust.
  {
    gate: /\.rb:\d/,
    pattern:
      /(?<=^|[\s|]|\\n)(?:from )?\/?[\w./@-]{1,300}\.rb:\d{1,7}:in [`'"][^`'"\n]{1,128}['"]/g,
  },
  {
    gate: /::/,
    pattern:
      /(?<=^|\n)\s{0,6}\d{1,4}: (?:0x[0-9a-f]{6,16} - )?[\w<][\w:<>{}$ ,&*#]{2,256}::[\w<>{}#$]{1,128}(?=\r?\n|$)/g,
  },
];
