/** A template, as far as routes into it are concerned. */
export interface RoutedTemplate {
  readonly Transform?: unknown;
  readonly Resources: Readonly<
    Record<string, { readonly Type: string; readonly Properties?: unknown }>
  >;
}

/** Resource types that are routes, open one, or run code of a deployment that could add one. */
const ROUTES: readonly RegExp[] = [
  /^AWS::Lambda::(?:Url|Permission|LayerVersionPermission)$/,
  /^AWS::ApiGateway(?:V2)?::/,
  /^AWS::ElasticLoadBalancing(?:V2)?::/,
  /^AWS::(?:CloudFront|AppSync|VpcLattice|AppRunner|Amplify|GlobalAccelerator)::/,
  /^AWS::IoT::TopicRule/,
  /^AWS::Cognito::/,
  /^AWS::CloudFormation::(?:CustomResource|Macro|Stack)$/,
  /^AWS::Serverless::/,
  /^Custom::/,
];

/** Everything in a template that lets a stranger in, or could. Nested stacks count until their own template is looked at. */
export function publicRoutesIn({ Transform, Resources }: RoutedTemplate): string[] {
  return [
    ...(Transform === undefined ? [] : ['a transform, which rewrites the template']),
    ...Object.entries(Resources).flatMap(([id, { Type, Properties }]) => [
      ...(ROUTES.some((route) => route.test(Type)) ? [`${id}: ${Type}`] : []),
      ...openDoorsIn(Properties).map((door) => `${id}: ${door}`),
    ]),
  ];
}

function openDoorsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const deeper = Object.values(value).flatMap(openDoorsIn);
  return [...doorsOf(value), ...deeper];
}

function doorsOf(value: object): string[] {
  const doors: string[] = [];
  if ('WebsiteConfiguration' in value) doors.push('a website');
  if (!('Effect' in value) || value.Effect !== 'Allow') return doors;
  if ('NotPrincipal' in value) doors.push('an Allow for all but some');
  if ('Principal' in value && namesEveryone(value.Principal)) doors.push('an Allow for everyone');
  return doors;
}

function namesEveryone(principal: unknown): boolean {
  if (typeof principal === 'string') return principal === '*';
  if (typeof principal !== 'object' || principal === null) return false;
  return Object.values(principal).some(namesEveryone);
}
