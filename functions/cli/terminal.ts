import { createSpinner, type Spinner } from 'nanospinner';
import pico from 'picocolors';

/** Lines about a run while it goes on: a spinner on a terminal, plain lines in a pipe. */
export class ProgressLines {
  readonly #stream: NodeJS.WriteStream;
  readonly #spinner: Spinner | null;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
    this.#spinner = stream.isTTY ? createSpinner('', { stream }) : null;
  }

  /** Says what is being waited for; in a pipe only lines that are done are written. */
  wait(text: string): void {
    this.#spinner?.start({ text });
  }

  line(text: string): void {
    this.#spinner?.stop({ text: '', mark: '' });
    this.#stream.write(`${text}\n`);
  }

  end(): void {
    this.#spinner?.stop({ text: '', mark: '' });
  }
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
