import { hasIdCardForm, passesIdCardCheck, passesLuhn } from './check-digits.ts';
import type { Report } from './finding.ts';
import type { MarkKind } from './marks.ts';

/** E-mail addresses, telephone, identity card and bank card numbers of China. */
export function findPersonalData(text: string, report: Report): void {
  if (text.includes('@') || text.includes('%40')) findEmails(text, report);
  if (!/[0-9]{4}/.test(text)) return;
  findNumbers(text, report);
  findBracketedAreas(text, report);
}

const EMAIL =
  /(?<![\w.+%/-])(?!(?:git|ssh|svn|hg)@)[A-Za-z0-9][\w.+-]{0,63}(?:@|%40)(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,8}[A-Za-z]{2,24}(?![\w-])/g;

function findEmails(text: string, report: Report): void {
  for (const match of text.matchAll(EMAIL)) {
    report({ start: match.index, end: match.index + match[0].length, kind: 'email' });
  }
}

// Digits in one run, or in groups parted by one blank or hyphen, that nothing else continues.
const NUMBER =
  /(?:(?<![A-Za-z0-9.%-]|[0-9][.:])|(?<=%[0-9A-F]{2})|(?<=\\[nrt]))\+?[0-9](?:[0-9]|[ -](?=[0-9])){6,30}[0-9Xx]?(?![A-Za-z0-9]|[.:-][0-9]|-[A-Za-z])/g;

function findNumbers(text: string, report: Report): void {
  for (const match of text.matchAll(NUMBER)) {
    const kind = numberKind(match[0], labelBefore(text, match.index));
    // `blk_6222…`: behind a bar only a phone number is told from an id by its form.
    if (kind === 'phone' || (kind !== undefined && text[match.index - 1] !== '_')) {
      report({ start: match.index, end: match.index + match[0].length, kind });
    }
  }
}

/** How much text before a number may hold its label, in characters. */
const LABEL_WINDOW = 40;

const ID_LABEL =
  /身份证|ID\s?卡|证件号|证件|公民身份|id[_ -]?(?:card|no|number|num)\b|identity|cert[_ -]?(?:no|num|number|id)|ssn|citizen/i;
const PHONE_LABEL = /手机|电话|联系|号码|mobile|phone|tel\b|cell|msisdn|sms|短信|call|contact/i;
const CARD_LABEL =
  /银行卡|卡号|信用卡|借记卡|储蓄卡|账号|帐号|收款|付款|bank[_ -]?(?:card|account|acct|no)|card|acct|account|payee|payer|pan\b/i;
// Numbers that engineers count and correlate with: orders, flows, instants, sizes, positions.
const ORDINARY_LABEL =
  /(?:(?:order|trade|flow|serial|seq|sequence|batch|trace|span|offset|size|bytes?|time|timestamp|ts|nanos?|nanotime|millis|epoch|lsn|xid|pos|position|count|total|rows|version|build|block|pid)(?:[_ -]?(?:id|no|num|number|nano|millis|ms|sn))?|(?:request|req|txn|trx|transaction|msg|message|event|task|job|thread|biz|item|sku|goods|product|shop|store|coupon)[_ -]?(?:id|no|num|number|sn)|流水号?|订单号?|单号|批次号?|编号|序列号|时间戳?|数量|金额|总数|大小|次数|余额|库存|耗时)["'\]]?\s?(?:[=:：#]|为|是|\s)\s?["']?$/i;

function labelBefore(text: string, start: number): string {
  const before = text.slice(Math.max(0, start - LABEL_WINDOW), start);
  return before.slice(before.search(/[^,;，；。&|{}\n]*$/));
}

function findBracketedAreas(text: string, report: Report): void {
  for (const match of text.matchAll(BRACKETED_AREA)) {
    report({ start: match.index, end: match.index + match[0].length, kind: 'phone' });
  }
}

function numberKind(written: string, label: string): MarkKind | undefined {
  const digits = written.replace(/[ +-]/g, '');
  if (ORDINARY_LABEL.test(label) && !ID_LABEL.test(label)) return undefined;
  if (isIdCard(digits, label)) return 'id-card';
  if (isPhone(written, digits, label)) return 'phone';
  return isBankCard(written, digits, label) ? 'bank-card' : undefined;
}

function isIdCard(digits: string, label: string): boolean {
  if (hasIdCardForm(digits) && passesIdCardCheck(digits)) return true;
  return ID_LABEL.test(label) && /^(?:[0-9]{15}|[0-9]{17}[0-9Xx])$/.test(digits);
}

const BRACKETED_AREA = /(?<![0-9A-Za-z])[(（]0[0-9]{2,3}[)）][ -]?[2-9][0-9]{6,7}(?![0-9A-Za-z])/g;
const CHINESE_MOBILE = /^(?:0{0,2}86)?1[3-9][0-9]{9}$/;
const CHINESE_LANDLINE = /^(?:\+?86[ -]?)?0[0-9]{2,3}[ -]?[2-9][0-9]{6,7}(?:-[0-9]{1,5})?$/;

function isPhone(written: string, digits: string, label: string): boolean {
  if (CHINESE_MOBILE.test(digits)) return hasPhoneGroups(written);
  if (CHINESE_LANDLINE.test(written) && /[ -]/.test(written)) return PHONE_LABEL.test(label);
  return PHONE_LABEL.test(label) && /^\+[0-9]{8,15}$/.test(written.replace(/[ -]/g, ''));
}

function hasPhoneGroups(written: string): boolean {
  return /^(?:\+?(?:00)?86[ -]?)?1[3-9][0-9](?:[0-9]{8}|[ -][0-9]{4}[ -]?[0-9]{4}|[0-9]{4}[ -][0-9]{4})$/.test(
    written,
  );
}

// UnionPay 62, Visa 4, Mastercard 51–55 and 2221–2720, American Express 34 and 37.
const ISSUER =
  /^(?:62[0-9]{14,17}|4[0-9]{15}|5[1-5][0-9]{14}|2(?:22[1-9]|2[3-9][0-9]|[3-6][0-9]{2}|7[01][0-9]|720)[0-9]{12}|3[47][0-9]{13})$/;
const CARD_GROUPS = /^[0-9]{4}([ -])[0-9]{4}\1[0-9]{4}\1[0-9]{1,7}(?:\1[0-9]{1,3})?$/;

function isBankCard(written: string, digits: string, label: string): boolean {
  if (written !== digits && !CARD_GROUPS.test(written)) return false;
  if (CARD_LABEL.test(label) && /^[0-9]{12,19}$/.test(digits))
    return passesLuhn(digits) || ISSUER.test(digits) || /卡号|bank|card/i.test(label);
  return ISSUER.test(digits) && passesLuhn(digits);
}
