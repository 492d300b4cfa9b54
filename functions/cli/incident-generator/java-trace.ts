/** Frames of one library call, as they stand in a trace. */
export type Frames = readonly string[];

/** A stack trace: the exception, its frames without `at`, what caused it, and the frames left out. */
export function javaTrace(
  headline: string,
  frames: Frames,
  cause: { readonly headline: string; readonly frames: Frames } | null = null,
): string[] {
  const lines = [headline, ...frames.map((frame) => `\tat ${frame}`)];
  if (cause !== null) {
    lines.push(`Caused by: ${cause.headline}`, ...cause.frames.map((frame) => `\tat ${frame}`));
  }
  return [...lines, `\t... ${40 + frames.length} common frames omitted`];
}
