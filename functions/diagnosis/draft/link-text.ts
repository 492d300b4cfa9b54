import { hostLinks } from './host-link.ts';
import { foldLinkText } from './link-folding.ts';

/**
 * Everything in a text that a reader, a chat client or a Markdown renderer could follow, in one
 * spelling: addresses with a scheme, `www.` names, host names and IP addresses with a path, e-mail
 * addresses, network shares, targets in Markdown and HTML. With `hostNames` a mere name under a
 * common registry is a link too, as it always is in a text that disguises one (`evil[.]com`).
 * Every repetition is bounded, so time is linear in the length of the text.
 */
export function linksIn(text: string, options: { readonly hostNames: boolean }): readonly string[] {
  const { folded, isDisguised } = foldLinkText(text);
  return [
    ...LINKS.flatMap((pattern) => folded.match(pattern) ?? []),
    ...TARGETS.flatMap((pattern) => [...folded.matchAll(pattern)].map(([, target = '']) => target)),
    ...hostLinks(folded, options.hostNames || isDisguised),
  ].map(withoutTrailingMarks);
}

const LINKS: readonly RegExp[] = [
  // Any scheme, invented ones such as hxxp too. Browsers take a backslash for a slash
  // (behind one letter it is a drive). The host may
  // be of any script; behind it Chinese text that follows without a blank does not belong to it.
  /(?:[a-z0-9+.\-]{0,32}:\/\/|[a-z0-9+.\-]{2,32}:[\/\\]{2})\s?[^\s\/?#<>"'`、，。；！？（）】》”’]{1,1024}(?:[\/?#][[^\s<>"'`]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}、，。；！？（）【】《》“”‘’]]{0,2048})?/gv,
  // Browsers accept these without slashes.
  /(?:https?|hxxps?|ftp):[\/\\]?[a-z0-9\-]{1,63}\.[a-z0-9.\-]{1,253}/gv,
  // Schemes that never have slashes.
  /(?<![\p{L}\p{N}_])(?:javascript|vbscript|mailto|magnet):[^\s]{1,2048}/gv,
  /(?<![\p{L}\p{N}_])data:[a-z0-9.+\-]{1,64}\/[^\s]{1,2048}/gv,
  /(?<![\p{L}\p{N}_])(?:tel|sms):\+?[0-9]{3,20}/gv,
  // E-mail; the domain ends in letters, so that `pkg@1.2.3` and `app@10.0.0.1` are none.
  /[[\p{L}\p{M}\p{N}._%+\-]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]]{1,64}@[[\p{L}\p{M}\p{N}.\-]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]]{1,252}(?<=\.\p{L}{2,63})/gv,
  // A network share makes the reader's machine log in there.
  /(?<![\p{L}\p{N}_:\\])\\\\[a-z0-9.\-]{1,253}\\[^\s]{1,253}/gv,
  /\[[0-9a-f:]{2,39}\](?::[0-9]{1,5})?\/[^\s]{0,2048}/gv,
];

const TARGETS: readonly RegExp[] = [
  /\]\(\s?<?([^\s\(\)<>]{0,2048}[.\/:@\\][^\s\(\)<>]{0,2048})/gv,
  /<[a-z]{1,16}\s[^<>]{0,512}(?:href|src)\s?=\s?["']?([^\s"'<>]{1,2048})/gv,
];

/** Punctuation behind a link belongs to the sentence, not to the link. */
function withoutTrailingMarks(link: string): string {
  let end = link.length;
  while (end > 0 && '.,;:!?\'")]}*_~'.includes(link.charAt(end - 1))) end -= 1;
  return link.slice(0, end);
}
