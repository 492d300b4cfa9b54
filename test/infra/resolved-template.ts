import type { Template } from 'aws-cdk-lib/assertions';
import { type Resource, resourcesOf, type Synthesized } from './synthesized.ts';

export const ACCOUNT = '111122223333';
export const REGION = 'eu-central-1';

const PSEUDO: Readonly<Record<string, string>> = {
  'AWS::Partition': 'aws',
  'AWS::AccountId': ACCOUNT,
  'AWS::Region': REGION,
  'AWS::URLSuffix': 'amazonaws.com',
};

/** Replaces what CloudFormation would: references, joins, imports. Other values stay as they are. */
export class ResolvedTemplate {
  readonly resources: Readonly<Record<string, Resource>>;
  readonly #exported: ReadonlyMap<string, string>;

  constructor(template: Template, exported: ReadonlyMap<string, string> = new Map()) {
    this.resources = resourcesOf(template);
    this.#exported = exported;
  }

  value(raw: unknown): unknown {
    if (Array.isArray(raw)) return raw.map((part) => this.value(part));
    if (typeof raw !== 'object' || raw === null) return raw;
    const [[key, argument] = ['', null], ...others] = Object.entries(raw);
    const resolve = others.length === 0 ? INTRINSICS[key] : undefined;
    if (resolve !== undefined) return resolve(this, argument);
    return Object.fromEntries(Object.entries(raw).map(([name, part]) => [name, this.value(part)]));
  }

  text(raw: unknown): string {
    const value = this.value(raw);
    if (typeof value !== 'string') throw new Error(`no text: ${JSON.stringify(raw)}`);
    return value;
  }

  reference(id: string): string {
    const pseudo = PSEUDO[id];
    if (pseudo !== undefined) return pseudo;
    const { Type, Properties } = this.#resource(id);
    if (Type === 'AWS::Lambda::Alias') {
      return `${this.text(Properties.FunctionName)}:${this.text(Properties.Name)}`;
    }
    if (Type === 'AWS::Lambda::Function') return this.arn(id);
    if (Type === 'AWS::StepFunctions::StateMachine') return this.arn(id);
    return id;
  }

  arn(id: string): string {
    const { Type, Properties } = this.#resource(id);
    const named = ARNS[Type];
    if (named === undefined) throw new Error(`no ARN for ${Type}`);
    const [service, resource] = named(Properties, id);
    return `arn:aws:${service}:${REGION}:${ACCOUNT}:${this.text(resource)}`;
  }

  imported(name: string): string {
    const value = this.#exported.get(name);
    if (value === undefined) throw new Error(`nothing exports ${name}`);
    return value;
  }

  #resource(id: string): Resource {
    const resource = this.resources[id];
    if (resource === undefined) throw new Error(`no resource ${id}`);
    return resource;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: properties of every resource type there is
const ARNS: Readonly<Record<string, (properties: any, id: string) => [string, unknown]>> = {
  'AWS::DynamoDB::Table': ({ TableName }) => ['dynamodb', `table/${TableName}`],
  'AWS::KMS::Key': (_properties, id) => ['kms', `key/${id.replace(/[0-9A-F]{8}$/, '')}`],
  'AWS::Lambda::Function': ({ FunctionName }) => ['lambda', `function:${FunctionName}`],
  'AWS::Logs::LogGroup': ({ LogGroupName }) => ['logs', `log-group:${LogGroupName}:*`],
  'AWS::SQS::Queue': ({ QueueName }) => ['sqs', QueueName],
  'AWS::StepFunctions::StateMachine': ({ StateMachineName }) => [
    'states',
    `stateMachine:${StateMachineName}`,
  ],
};

type Intrinsic = (template: ResolvedTemplate, argument: unknown) => unknown;

const INTRINSICS: Readonly<Record<string, Intrinsic>> = {
  Ref: (template, id) => template.reference(String(id)),
  'Fn::GetAtt': (template, argument) => template.arn(String([argument].flat()[0])),
  'Fn::ImportValue': (template, name) => template.imported(String(name)),
  'Fn::Join': (template, argument) => {
    const [separator, parts] = argument as [string, unknown[]]; // as CloudFormation has it
    return parts.map((part) => template.text(part)).join(separator);
  },
};

/** Both templates of a stage, with what one imports from the other. */
export function resolved({ records, service }: Synthesized): {
  readonly records: ResolvedTemplate;
  readonly service: ResolvedTemplate;
} {
  const producer = new ResolvedTemplate(records);
  const { Outputs = {} } = records.toJSON() as {
    Outputs?: Record<string, { Value: unknown; Export?: { Name: string } }>;
  }; // a template
  const exported = new Map(
    Object.values(Outputs).flatMap(({ Value, Export }): [string, string][] =>
      Export === undefined ? [] : [[Export.Name, producer.text(Value)]],
    ),
  );
  return { records: producer, service: new ResolvedTemplate(service, exported) };
}
