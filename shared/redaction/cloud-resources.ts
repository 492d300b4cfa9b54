import type { Report } from './finding.ts';

/** Ids that clouds give to instances, disks, networks and accounts. */
export function findCloudResources(text: string, report: Report): void {
  if (text.includes('-')) findResourceIds(text, report);
  if (text.includes('arn:')) findArns(text, report);
  if (/account/i.test(text)) findAccounts(text, report);
}

const RESOURCE_ID =
  /(?<![\w.-])([a-z]{1,8})-(?:(?=[a-f]{0,16}[0-9])[0-9a-f]{8}(?:[0-9a-f]{9})?|(?=[a-z]{0,17}[0-9])[a-z0-9]{17,22}|[a-z]{2}[0-9][a-z0-9]{10,19}|(?=[a-z]{0,7}[0-9])[a-z0-9]{8})(?![\w-])/g;
const INSTANCE_PREFIX = /^(?:i|mi|ins|eci|lhins|hb)$/;
const RESOURCE_PREFIX =
  /^(?:eni|vol|snap|sg|sgr|subnet|vpc|vpce|ami|rtb|igw|nat|natgw|ngw|eigw|tgw|pcx|acl|eipalloc|eipassoc|eip|lt|fl|fs|fsap|cr|db|cluster|d|s|m|vsw|vtb|lb|alb|nlb|clb|slb|rm|rr|pc|pi|r|tair|dds|rg|cen|ngw|bwp|nas|cbs|cdb|crs|cvm|cls|disk|asg|rds|mse|ack|ccs|kafka|alikafka|es|gw)$/;

// Ids of eight characters: Tencent's, and the first ones of AWS.
const SHORT_ID_PREFIX =
  /^(?:i|ins|cdb|crs|cvm|cls|lb|disk|eip|vpc|subnet|sg|eni|rtb|nat|vol|snap|ami|igw|acl|cmgo|ckafka|postgres)$/;

function findResourceIds(text: string, report: Report): void {
  for (const match of text.matchAll(RESOURCE_ID)) {
    const [id, prefix = ''] = match;
    const end = match.index + id.length;
    const isShort = id.length === prefix.length + 9;
    if (isShort && !SHORT_ID_PREFIX.test(prefix)) continue;
    if (INSTANCE_PREFIX.test(prefix)) {
      report({ start: match.index, end, kind: 'instance' });
    } else if (RESOURCE_PREFIX.test(prefix)) {
      report({ start: match.index + prefix.length + 1, end, kind: 'resource', identity: id });
    }
  }
}

const ARN =
  /\barn:aws[a-z-]{0,8}:[a-z0-9-]{1,40}:[a-z0-9-]{0,24}:([0-9]{12}):([^\s"',)\]}\\<>]{1,512})?/g;
const LAST_ID = /[/:]((?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{16,64}))$/;

function findArns(text: string, report: Report): void {
  for (const match of text.matchAll(ARN)) {
    const [whole, account = '', resource = ''] = match;
    const end = match.index + whole.length;
    const accountStart = end - resource.length - 1 - account.length;
    report({ start: accountStart, end: accountStart + account.length, kind: 'account' });
    const id = LAST_ID.exec(resource)?.[1] ?? '';
    if (id !== '') report({ start: end - id.length, end, kind: 'resource' });
  }
}

const ACCOUNT =
  /\b(?:aws|owner|account|caller)[_ -]?(?:account)?[_ -]?(?:id)?["']?\s?[:=]\s?["']?([0-9]{12})(?![0-9])/gi;

function findAccounts(text: string, report: Report): void {
  for (const match of text.matchAll(ACCOUNT)) {
    const end = match.index + match[0].length;
    report({ start: end - 12, end, kind: 'account' });
  }
}
