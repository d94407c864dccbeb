import { fixFieldsMessage, validationMessages } from '#domain/shared/validators.ts'
import { bruteForceGuard } from '../access/brute-force/brute-force-guard.ts'
import { recordAudit } from '../audit/audit-log.ts'
import type { Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { Problem, problem } from '../http/problem.ts'
import type { PartnerAnswer } from '../ports/partner.ts'
import { withLockedStudio } from './lock-studio.ts'
import { readStudio, type StudioRequest } from './read-studio.ts'
import { isAccountNumberTaken, takenNumberMessage } from './store/find-studio.ts'

type VerificationInput = StudioRequest & {
  readonly accountNumber: string
  readonly password?: string | undefined
  readonly address: string
}

/**
 * Verifies an account with the partner. The brute-force guard counts refusals, so that the route cannot be used to
 * guess the partner's passwords.
 */
const verifyWithPartner = async (
  deps: Deps,
  { accountNumber, password = '', address }: VerificationInput,
): Promise<PartnerAnswer | Problem<'slow-down'>> => {
  let answer: PartnerAnswer = { state: 'unreachable' }
  const attempt = { kind: 'partner-account', targets: [accountNumber], address } as const
  const guardResult = await bruteForceGuard(deps, attempt, async () => {
    answer = await deps.partner.verify({ accountNumber, password })
    return answer.state === 'refused' ? undefined : answer
  })
  return guardResult ?? answer
}

type VerificationResult = { readonly state: 'waiting' | 'verified' | 'refused'; readonly reason: string | null }

/** Stores a request and its result, never the password. A new request replaces one that is waiting. */
const storeRequest = async (
  tx: Transaction,
  deps: Deps,
  { request: { studioId, accountNumber, user }, result }: { request: VerificationInput; result: VerificationResult },
): Promise<void> => {
  const decided_at = result.state === 'waiting' ? null : deps.clock()
  const row = { account_number: accountNumber, ...result, requested_by: user.id, decided_at }
  await tx
    .deleteFrom('verification_requests')
    .where('studio_id', '=', studioId)
    .where('state', '=', 'waiting')
    .execute()
  await tx
    .insertInto('verification_requests')
    .values({ ...row, studio_id: studioId, created_at: deps.clock() })
    .execute()
  const detail = { accountNumber, state: result.state }
  const audit = { studioId, entityId: String(studioId), detail, userId: user.id }
  await recordAudit(tx, deps, { ...audit, action: 'studio.verification-asked' })
}

/** Asks the partner whether a studio is its customer, and stores the result. A verified studio stays verified. */
export const requestVerification = async (deps: Deps, request: VerificationInput) => {
  const current = await readStudio(deps, request)
  if (current instanceof Problem || current.isMillersVerified) return current
  if (deps.partner.decidedBy === 'partner' && !request.password) {
    return problem('refused', fixFieldsMessage, { fields: { password: [validationMessages.required] } })
  }
  const answer = await verifyWithPartner(deps, request)
  if (answer instanceof Problem) return answer
  if (answer.state === 'unreachable') {
    return problem('refused', 'The partner cannot be reached just now. Please try again in a moment')
  }
  let refusal: string | null = null
  const studio = await withLockedStudio(deps, request, async ({ tx }) => {
    const isTaken = answer.state === 'verified' && (await isAccountNumberTaken(tx, request))
    refusal = isTaken ? takenNumberMessage : answer.state === 'refused' ? answer.reason : null
    const state = isTaken ? 'refused' : answer.state
    await storeRequest(tx, deps, { request, result: { state, reason: refusal } })
    if (state === 'verified') {
      const verifiedColumns = { is_millers_verified: true, account_number: request.accountNumber }
      await tx.updateTable('studios').set(verifiedColumns).where('id', '=', request.studioId).execute()
    }
    return undefined
  })
  return refusal === null || studio instanceof Problem ? studio : problem('refused', refusal)
}
