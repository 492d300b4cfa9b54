const ESCAPE = String.fromCharCode(0x1b);
const TERMINAL_SEQUENCE = new RegExp(`${ESCAPE}\\[[0-9;?]{0,32}[A-Za-z]`, 'g');
// Beside ASCII and Chinese only: joiners inside emoji and other scripts keep their meaning. Tags are
// invisible letters, which a model reads and a person does not: they go wherever they stand.
const TAGS = /[\u{e0000}-\u{e007f}]+/gu;
const INVISIBLE =
  /(?<=[!-~])\p{Default_Ignorable_Code_Point}+(?=[!-~])|(?<=[!-~\p{sc=Han}])[\u200b-\u200f\u2060-\u2064\ufeff\u00ad]+(?=[!-~\p{sc=Han}])/gu;

/** The text without terminal colours and invisible characters, which can cut a key or a secret in two. */
export function withoutInvisible(text: string): string {
  const colourless = text.includes(ESCAPE)
    ? text.replace(TERMINAL_SEQUENCE, '').replaceAll(ESCAPE, '')
    : text;
  return colourless.replace(TAGS, '').replace(INVISIBLE, '');
}

/**
 * The text as rules read it: as it stands, and where they differ with the lines that a folded entry
 * joins by ` | ` on lines of their own again and full-width letters plain. Of equal length, so that a
 * place in one is the same place in the others.
 */
export function readingsOf(text: string): readonly string[] {
  const unfolded = text.replaceAll(' | ', ' \n ').replace(FULL_WIDTH, toAscii);
  return unfolded === text ? [text] : [text, unfolded];
}

const FULL_WIDTH = /[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff1d\uff3f]/g;

function toAscii(fullWidth: string): string {
  return String.fromCharCode(fullWidth.charCodeAt(0) - 0xfee0);
}
