import pico from 'picocolors';

/** What a terminal's line can show when it does not say; a report is never wider. */
const WIDEST_COLUMNS = 80;
/** Narrower than this, wrapping helps nobody. */
const NARROWEST_COLUMNS = 20;
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const;
const FRAME_MS = 120;
/** Back to the start of the line and empty it. */
const CLEAR_LINE = '\r\u001b[2K';

/**
 * Lines about a run while it goes on. On a terminal the last line shows what is being waited for and
 * for how long; in a pipe only lines that are done are written.
 */
export class ProgressLines {
  readonly #stream: NodeJS.WriteStream;
  #waiting: {
    readonly text: string;
    readonly since: number;
    readonly timer: NodeJS.Timeout;
  } | null = null;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  wait(text: string): void {
    this.end();
    if (this.#stream.isTTY !== true) return;
    const since = Date.now();
    this.#waiting = { text, since, timer: setInterval(() => this.#draw(), FRAME_MS) };
    this.#draw();
  }

  line(text: string): void {
    const waiting = this.#waiting;
    if (waiting !== null) this.#stream.write(CLEAR_LINE);
    this.#stream.write(`${text.replaceAll('\n', '\\u{a}')}\n`); // a text from outside makes no line of its own
    if (waiting !== null) this.#draw();
  }

  end(): void {
    if (this.#waiting === null) return;
    clearInterval(this.#waiting.timer);
    this.#waiting = null;
    this.#stream.write(CLEAR_LINE);
  }

  #draw(): void {
    if (this.#waiting === null) return;
    const elapsedMs = Date.now() - this.#waiting.since;
    const frame = FRAMES[Math.floor(elapsedMs / FRAME_MS) % FRAMES.length];
    const text = `${frame} ${this.#waiting.text} ${Math.floor(elapsedMs / 1_000)} s`;
    this.#stream.write(`${CLEAR_LINE}${text.slice(0, columnsOf(this.#stream) - 1)}`);
  }
}

/** Columns to write in: the terminal's own, between 20 and 80. */
export function columnsOf(stream: NodeJS.WriteStream): number {
  const columns = stream.columns || WIDEST_COLUMNS; // a terminal of size 0 does not know
  return Math.max(NARROWEST_COLUMNS, Math.min(WIDEST_COLUMNS, columns));
}

/** Colours where the stream has them and `NO_COLOR` does not forbid it. */
export function colours(stream: NodeJS.WriteStream): ReturnType<typeof pico.createColors> {
  return pico.createColors(pico.isColorSupported && stream.isTTY === true);
}

/** Text from outside with its control characters made visible, so that it can't steer a terminal. */
export function printable(text: string): string {
  return text.replace(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu, (control) => {
    const code = control.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
}
