const ESCAPE = String.fromCharCode(0x1b);
const TERMINAL_SEQUENCE = new RegExp(`${ESCAPE}\\[[0-9;?]{0,32}[A-Za-z]`, 'g');
// Between word characters only: joiners inside emoji and scripts keep their meaning.
const INVISIBLE = /(?<=\w)[\u200b-\u200f\u2060-\u2064\ufeff\u00ad]+(?=\w)/g;

/** The text without terminal colours and invisible characters, which can cut a key or a secret in two. */
export function withoutInvisible(text: string): string {
  const colourless = text.includes(ESCAPE)
    ? text.replace(TERMINAL_SEQUENCE, '').replaceAll(ESCAPE, '')
    : text;
  return colourless.replace(INVISIBLE, '');
}
