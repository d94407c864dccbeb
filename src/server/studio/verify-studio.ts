import { sql } from 'kysely'
import { fixFieldsMessage, validationMessages } from '#domain/shared/validators.ts'
import { bruteForceGuard } from '../access/brute-force/brute-force-guard.ts'
import { recordAudit } from '../audit/audit-log.ts'
import type { Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { Problem, problem } from '../http/problem.ts'
import type { PartnerAnswer } from '../ports/partner.ts'
import { withLockedStudio } from './lock-studio.ts'
import { readStudio, type StudioRequest } from './read-studio.ts'

type VerificationInput = StudioRequest & {
  readonly accountNumber: string
  readonly password?: string | undefined
  readonly address: string
}

/** What the partner says, each of its noes counted: its passwords are not guessed by way of us. */
const askPartner = async (
  deps: Deps,
  { accountNumber, password = '', address }: VerificationInput,
): Promise<PartnerAnswer | Problem<'slow-down'>> => {
  let answer: PartnerAnswer = { state: 'unreachable' }
  const attempt = { kind: 'partner-account', targets: [accountNumber], address } as const
  const found = await bruteForceGuard(deps, attempt, async () => {
    answer = await deps.partner.verify({ accountNumber, password })
    return answer.state === 'refused' ? undefined : answer
  })
  return found ?? answer
}

/** Another studio that is known to the partner by the same number. */
const isAnothers = async (tx: Transaction, { studioId, accountNumber }: VerificationInput): Promise<boolean> => {
  // Two studios must not both find it free.
  await sql`select pg_advisory_xact_lock(hashtext(${`account number ${accountNumber}`}))`.execute(tx)
  const found = await tx
    .selectFrom('studios')
    .select('id')
    .where('account_number', '=', accountNumber)
    .where('id', '<>', studioId)
    .executeTakeFirst()
  return found !== undefined
}

type VerificationResult = { readonly state: 'waiting' | 'verified' | 'refused'; readonly reason: string | null }

/** Keeps what was asked and what became of it; never the password. Who asks again while one waits asks that one again. */
const keepRequest = async (
  tx: Transaction,
  deps: Deps,
  { asked: { studioId, accountNumber, user }, told }: { asked: VerificationInput; told: VerificationResult },
): Promise<void> => {
  const decided_at = told.state === 'waiting' ? null : deps.clock()
  const row = { account_number: accountNumber, ...told, requested_by: user.id, decided_at }
  await tx
    .deleteFrom('verification_requests')
    .where('studio_id', '=', studioId)
    .where('state', '=', 'waiting')
    .execute()
  await tx
    .insertInto('verification_requests')
    .values({ ...row, studio_id: studioId, created_at: deps.clock() })
    .execute()
  const detail = { accountNumber, state: told.state }
  const about = { studioId, entityId: String(studioId), detail, userId: user.id }
  await recordAudit(tx, deps, { ...about, action: 'studio.verification-asked' })
}

const taken = 'This account number belongs to another studio'

/** Asks the partner whether a studio is its customer, and keeps the answer; a studio that is verified stays so. */
export const requestVerification = async (deps: Deps, asked: VerificationInput) => {
  const before = await readStudio(deps, asked)
  if (before instanceof Problem || before.isMillersVerified) return before
  if (deps.partner.decidedBy === 'partner' && !asked.password) {
    return problem('refused', fixFieldsMessage, { fields: { password: [validationMessages.required] } })
  }
  const answer = await askPartner(deps, asked)
  if (answer instanceof Problem) return answer
  if (answer.state === 'unreachable') {
    return problem('refused', 'The partner cannot be reached just now. Please try again in a moment')
  }
  let refusal: string | null = null
  const studio = await withLockedStudio(deps, asked, async ({ tx }) => {
    const isTaken = answer.state === 'verified' && (await isAnothers(tx, asked))
    refusal = isTaken ? taken : answer.state === 'refused' ? answer.reason : null
    const state = isTaken ? 'refused' : answer.state
    await keepRequest(tx, deps, { asked, told: { state, reason: refusal } })
    if (state === 'verified') {
      const verified = { is_millers_verified: true, account_number: asked.accountNumber }
      await tx.updateTable('studios').set(verified).where('id', '=', asked.studioId).execute()
    }
    return undefined
  })
  return refusal === null || studio instanceof Problem ? studio : problem('refused', refusal)
}
