import type { ResolvedTemplate } from './resolved-template.ts';

/** One thing that a policy lets its role do. */
export interface Grant {
  readonly action: string;
  readonly resource: string;
  readonly conditions: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Everything that the policies grant whose logical ids begin so, one action on one resource each. */
export function grantsOf(template: ResolvedTemplate, idPrefix: string): Grant[] {
  return Object.entries(template.resources)
    .filter(([id, { Type }]) => id.startsWith(idPrefix) && POLICIES.has(Type))
    .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement as Statement[]) // a policy
    .flatMap((statement) => expand(template, statement));
}

const POLICIES = new Set(['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy']);

interface Statement {
  readonly Effect: string;
  readonly Action: string | string[];
  readonly Resource: unknown;
  readonly Condition?: Grant['conditions'];
}

function expand(template: ResolvedTemplate, statement: Statement): Grant[] {
  if (statement.Effect !== 'Allow') return [];
  const conditions = template.value(statement.Condition ?? {}) as Grant['conditions']; // a statement's
  return [statement.Action].flat().flatMap((action) =>
    [statement.Resource].flat().map((resource) => ({
      action,
      resource: template.text(resource),
      conditions,
    })),
  );
}

/** `action on resource`, as tests compare grants and calls. */
export function phrase({ action, resource }: Pick<Grant, 'action' | 'resource'>): string {
  return `${action} on ${resource}`;
}
