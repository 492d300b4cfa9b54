/** What `--help` prints. */
export const HELP = `Diagnoses an incident and prints what was found, on what evidence.

  npm run diagnose -- [options]          diagnose the shipped incident
  npm run diagnose -- runs               list the runs kept on this machine
  npm run diagnose -- show RUN_ID        show one of them again
  npm run diagnose -- record RUN_ID      print the whole record of one, to keep or to hand on
  npm run verify -- FILE|RUN_ID          check a record without trust in who wrote it

Options
  --incident NAME|DIR    a shipped incident, or a folder with incident.json, logs/,
                         mysql/ and knowledge/ (default: payment-timeout)
  --query TEXT           ask this instead of the incident's own question
  --previous-turn FILE   JSON of the turn before, for a follow-up question
  --json                 print the outcome as one JSON object and nothing else
  --model KIND           offline   a small rule-based stand-in, no language model (default)
                         bedrock   Amazon Bedrock, with the AWS SDK's own settings
                         by-hand   you, or any program, answer through files
  --model-id ID          model id or inference profile, with --model bedrock
  --folder DIR           where by-hand leaves its questions (default: .diagnosis/by-hand)
  --data DIR             where runs are kept (default: .diagnosis)
  -h, --help             this text

Exit codes
  0 completed   3 stopped under control   4 failed   2 wrong use
  verify: 0 it holds   1 any doubt   2 wrong use
`;
