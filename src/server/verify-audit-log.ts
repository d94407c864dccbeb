import { type Verification, verifyAuditLog } from './audit/audit-chain.ts'
import { InvalidSetting } from './env-variables.ts'
import { runCommand } from './run-command.ts'

const problemTexts = {
  changed: 'was changed',
  missing: 'does not follow the entry that was before it',
} as const

const describeFindings = ({ findings }: Verification): string =>
  findings.map(({ position, problem }) => `Entry ${position} ${problemTexts[problem]}`).join('\n')

/** The last position and hash are printed to be stored elsewhere. */
const describeChain = ({ sealed, unsealed, last }: Verification): string =>
  `The audit trail is complete: ${sealed} entries, and ${unsealed} new ones. The last one is ${last.position}, with hash ${last.hash}\n`

await runCommand({ env: process.env, parameters: process.argv.slice(2) }, () => async ({ db }) => {
  const verification = await verifyAuditLog({ db })
  if (verification.findings.length === 0) return describeChain(verification)
  throw new InvalidSetting(`The audit trail was tampered with:\n${describeFindings(verification)}`)
})
