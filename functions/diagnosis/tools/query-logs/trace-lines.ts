const FRAME =
  /^\s*(?:at\s+(?:async |new )?[^\s(]{1,512} ?\(|at\s+\S{1,512}:\d+\)?$|\.\.\. \d+ (?:more|common frames|frames)|File "|- (?:locked|waiting|parking|eliminated)\b|#\d+\s|\^[\^~]*\s*$|~{2,}|\d+: +0x|[\w./@-]+\.(?:go|rs|c|cc|cpp|py|rb|js|ts):\d+)/;
const FRAME_WITH_CODE = /^\s*File "/;
const CAUSE =
  /^\s*(?:Caused by\b|Suppressed:|Traceback \(most recent|During handling of|The above exception|Wrapped by|Nested exception|Exception in thread|\[CIRCULAR REFERENCE)/;
const FAILURE_LINE =
  /^(?:[A-Za-z_$][\w$]{0,80}(?:\.|::)){1,16}[A-Za-z_$][\w$]{0,120}(?:Exception|Error|Throwable|Failure|Fault|Timeout|Interrupt|Exit)?(?::(?: |$)|$)/;
const NAMED_FAILURE = /^[A-Z]\w{0,80}(?:Exception|Error|Throwable|Interrupt|Exit|Warning)(?::|$)/;
/** Lines of one trace that are kept; a chain of causes longer than that repeats itself. */
const MAX_KEPT_LINES = 48;
/** Between the lines of a trace that were put into one. */
export const TRACE_SEPARATOR = ' | ';

/** True for a line that belongs to the stack trace above it, whatever the language. */
export function isTraceLine(line: string): boolean {
  return FRAME.test(line) || CAUSE.test(line);
}

/** True for `package.SomeException: words`, the line a trace begins or ends with. */
export function isFailureLine(line: string): boolean {
  return FAILURE_LINE.test(line) || NAMED_FAILURE.test(line);
}

/**
 * The lines of a message as one line: exception classes, their messages and the chain of causes
 * stay, stack frames go.
 */
export function foldTrace(message: string): string {
  if (!message.includes('\n')) return message.trim();
  const kept: string[] = [];
  let afterCode = false;
  for (const line of message.split('\n')) {
    const isFrame = FRAME.test(line) || (afterCode && /^\s/.test(line));
    afterCode = FRAME_WITH_CODE.test(line);
    if (isFrame || line.trim() === '' || line.startsWith('Traceback (most')) continue;
    if (kept.length < MAX_KEPT_LINES) kept.push(line.trim());
  }
  return kept.join(TRACE_SEPARATOR);
}
