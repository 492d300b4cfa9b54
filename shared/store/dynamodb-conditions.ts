import type { Invocation } from '../contracts/invocation.ts';

/** One named condition: `#name` stands for the attribute of that name, `:name` for a value. */
export interface Condition {
  readonly expression: string;
  readonly values: Readonly<Record<string, string | number>>;
}

/** Nobody has taken the item's key. */
export const ITEM_IS_ABSENT = when('attribute_not_exists(#pk)');

/** The run has not been settled. */
export const RUN_IS_RUNNING = when('#status = :running', { ':running': 'RUNNING' });

/** Nobody has asked the run to stop. */
export const NO_CANCEL_REQUESTED = when('attribute_not_exists(#cancel_requested_at)');

/** The run has not gone beyond this round: a write of it that arrives late changes nothing. */
export function roundIsNotPast(round: number): Condition {
  return when('#rounds <= :round', { ':round': round });
}

/** The run (or the invocation, which keeps its run's fence) is the writer's own. */
export function fenceIs(fence: string): Condition {
  return when('#fence = :fence', { ':fence': fence });
}

/** The lease ended before this instant, given in the one stored form. */
export function leaseEndedBefore(instant: string): Condition {
  return when('#lease_expires_at < :instant', { ':instant': instant });
}

/** The lease goes on at this instant, given in the one stored form: a process may still be at work. */
export function leaseHoldsAt(instant: string): Condition {
  return when('#lease_expires_at >= :instant', { ':instant': instant });
}

/** The item has not expired at this time in epoch milliseconds. */
export function notExpiredAt(epochMs: number): Condition {
  return when('#expires_at > :seconds', { ':seconds': epochMs / 1000 });
}

/** The invocation is in this status. */
export function invocationIs(status: Invocation['status']): Condition {
  return when('#status = :from', { ':from': status });
}

/** The invocation has no end yet. */
export const INVOCATION_IS_UNSETTLED = when('#status IN (:open, :projecting)', {
  ':open': 'OPEN',
  ':projecting': 'PROJECTING',
});

/** The key is free, or the item under it is the writer's own and may be written again. */
export function absentOrOwn(fence: string): Condition {
  return when('(attribute_not_exists(#pk) OR #fence = :fence)', { ':fence': fence });
}

/** All of the conditions, as the members that a put or a condition check takes. */
export function onlyWhen(...conditions: readonly Condition[]) {
  const ConditionExpression = conditions.map(({ expression }) => expression).join(' AND ');
  const values = Object.assign({}, ...conditions.map((condition) => condition.values));
  return {
    ConditionExpression,
    ExpressionAttributeNames: namesIn(ConditionExpression),
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
}

/** Sets the attributes if all conditions hold, as the members that an update takes. */
export function setOnlyWhen(
  attributes: Readonly<Record<string, unknown>>,
  ...conditions: readonly Condition[]
) {
  const condition = onlyWhen(...conditions);
  const names = Object.keys(attributes);
  const UpdateExpression = `SET ${names.map((name) => `#${name} = :set_${name}`).join(', ')}`;
  const values = Object.entries(attributes).map(([name, value]) => [`:set_${name}`, value]);
  return {
    ...condition,
    UpdateExpression,
    ExpressionAttributeNames: {
      ...condition.ExpressionAttributeNames,
      ...namesIn(UpdateExpression),
    },
    ExpressionAttributeValues: {
      ...condition.ExpressionAttributeValues,
      ...Object.fromEntries(values),
    },
  };
}

function when(expression: string, values: Condition['values'] = {}): Condition {
  return { expression, values };
}

function namesIn(expression: string): Record<string, string> {
  const placeholders = expression.match(/#[a-z_0-9]{1,64}/g) ?? [];
  return Object.fromEntries(placeholders.map((placeholder) => [placeholder, placeholder.slice(1)]));
}
