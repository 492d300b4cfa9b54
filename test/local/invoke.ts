import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { startConverseServer } from '../../functions/cli/stand-in/converse-server.ts';
import { createOfflineModel } from '../../functions/cli/stand-in/offline-model.ts';
import { buildAssets } from '../../infra/assets.ts';
import { readDeployment } from '../../infra/deployment-file.ts';
import { LambdaProcess } from '../support/runtime-api.ts';

// npm run invoke:local [-- EVENT_FILE]: what `sam local invoke` does, without Docker. The diagnosis
// function's asset of the sample stage runs under a Runtime API server, over the offline stand-in for the
// model and a record in .diagnosis/local.

const FOLDER = resolve('.diagnosis/local');
const [eventFile = 'test/events/diagnosis.json'] = process.argv.slice(2);

const event: unknown = JSON.parse(await readFile(eventFile, 'utf8'));
await mkdir(FOLDER, { recursive: true });
const assets = await buildAssets(readDeployment('infra/config/sample.json'), `${FOLDER}/assets`);
const deployed = JSON.parse(await readFile(`${assets.diagnosis}/configuration.json`, 'utf8'));
const store = { kind: 'SQLITE', file: `${FOLDER}/record.sqlite` };
const configuration = `${assets.diagnosis}/local.json`;
await writeFile(configuration, JSON.stringify({ ...deployed, store }));

const model = await startConverseServer({ brain: createOfflineModel() });
const lambda = await LambdaProcess.start(`${assets.diagnosis}/index.mjs`, {
  DIAGNOSIS_CONFIGURATION: configuration,
  POWERTOOLS_SERVICE_NAME: 'diagnosis-local',
  AWS_ENDPOINT_URL_BEDROCK_RUNTIME: model.url,
});
const came = await lambda.invoke({ event, requestId: `local-${Date.now()}`, remainingMs: 900_000 });
process.stderr.write(await lambda.end());
await model.close();
process.stdout.write(came.kind === 'response' ? `${came.body}\n` : `${JSON.stringify(came)}\n`);
process.exitCode = came.kind === 'response' ? 0 : 1;
