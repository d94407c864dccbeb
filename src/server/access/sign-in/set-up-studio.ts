import { sql } from 'kysely'
import type { SignInAnswer } from '#contract/system/auth.ts'
import { fixFieldsMessage, isValid, validate } from '#domain/shared/validators.ts'
import { type Onboarding, onboardingRules } from '#domain/studio/onboarding.ts'
import { slugError } from '#domain/studio/studio-slug.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import { readSetting, readSettings } from '#server/configuration/read-settings.ts'
import { type Db, inTransaction, type Transaction } from '#server/database/database.ts'
import { retryOnUniqueViolation } from '#server/database/statement-errors.ts'
import { knownTimeZone } from '#server/database/timestamps.ts'
import type { Deps } from '#server/deps.ts'
import { hashOf } from '#server/http/hash.ts'
import { Problem, problem } from '#server/http/problem.ts'
import { insertStudio, isSlugTaken, takenSlugMessage } from '#server/studio/store/new-studio.ts'
import { bruteForceGuard } from '../brute-force/brute-force-guard.ts'
import { countFailures, recordFailure } from '../brute-force/failure-counts.ts'
import { continueAfterPassword } from '../credentials/password-steps.ts'
import { hashPassword, verifyPassword } from '../credentials/verify-password.ts'
import { type Account, enabledAccounts } from '../tokens/token-pair.ts'

const takenNumberMessage = 'Another studio uses this account number. Please check it, or leave it out for now'
const closedMessage = 'New studios cannot register here at the moment. Please ask us for one'
const takenEmailMessage = 'Someone already signs in with this address. Log in, or use another'

/** Why a new studio may not use a slug; null where it may. */
export const slugMessage = async (db: Db, slug: string): Promise<string | null> =>
  slugError(slug) ?? ((await isSlugTaken(db, slug)) ? takenSlugMessage : null)

type StudioSignUp = Onboarding & { readonly timeZone?: string | undefined }
type HashedStudioSignUp = StudioSignUp & { readonly passwordHash: string }

/** Returns the messages for values that are taken already, by field. */
const findTakenFields = async (
  tx: Transaction,
  { slug, accountNumber, email }: StudioSignUp,
): Promise<Record<string, string[]>> => {
  const { rows } = await sql<{ number: boolean; email: boolean }>`
    select exists (select from studios where account_number = ${accountNumber || null}) as number,
           exists (select from users where email = ${email} and removed_at is null) as email`.execute(tx)
  return {
    ...((await isSlugTaken(tx, slug)) && { slug: [takenSlugMessage] }),
    ...(rows[0]?.number && { accountNumber: [takenNumberMessage] }),
    ...(rows[0]?.email && { email: [takenEmailMessage] }),
  }
}

const insertOwner = (
  tx: Transaction,
  studioId: number,
  { name, email, passwordHash }: HashedStudioSignUp,
): Promise<Account> =>
  tx
    .insertInto('users')
    .values({ email, name, role: 'owner', studio_id: studioId, password_hash: passwordHash })
    .returning(['id', 'name', 'email', 'role', 'studio_id', 'password_hash'])
    .executeTakeFirstOrThrow()

/** Finds the owner that an earlier copy of the same request created. */
const findOwner = async (
  deps: Deps,
  { email, slug, password }: StudioSignUp,
  address: string,
): Promise<Account | undefined | Problem<'slow-down'>> => {
  const account = await enabledAccounts(deps.db)
    .where('email', '=', email)
    .where('role', '=', 'owner')
    .executeTakeFirst()
  if (!account) return undefined
  const studio = deps.db.selectFrom('studios').select('id').where('slug', '=', slug).where('id', '=', account.studio_id)
  return (await studio.executeTakeFirst()) && (await verifyPassword(deps, { email, password, address }))
}

const createStudio = (deps: Deps, signUp: HashedStudioSignUp): Promise<SignInAnswer | Problem<'refused'>> =>
  retryOnUniqueViolation(() =>
    inTransaction(deps.db, async (tx) => {
      const fields = await findTakenFields(tx, signUp)
      if (!isValid(fields)) return problem('refused', fixFieldsMessage, { fields })
      const platformFeeBasisPoints = await readSetting(tx, deps, 'registration-fee')
      const studioId = await insertStudio(tx, { ...signUp, platformFeeBasisPoints })
      const owner = await insertOwner(tx, studioId, signUp)
      const detail = { name: signUp.studioName, slug: signUp.slug }
      await recordAudit(tx, deps, {
        ...{ studioId, action: 'studio.begun', entityId: String(studioId), detail },
        userId: owner.id,
      })
      return await continueAfterPassword(deps, tx, owner)
    }),
  )

const trimFields = (signUp: StudioSignUp): StudioSignUp => ({
  ...signUp,
  studioName: signUp.studioName.trim(),
  slug: signUp.slug.trim(),
  accountNumber: signUp.accountNumber?.trim(),
  name: signUp.name.trim(),
  email: signUp.email.trim().toLowerCase(),
})

const createUnderLimit = async (deps: Deps, signUp: StudioSignUp, address: string): Promise<SignInAnswer | Problem> => {
  const counter = { kind: 'target', key: hashOf(`begun:${address}`) } as const
  const limits = await readSettings(deps.db, deps, ['registration-open', 'registrations-per-hour'])
  if (!limits['registration-open']) return problem('refused', closedMessage)
  const [studios = 0] = await countFailures(deps, [counter])
  if (studios >= limits['registrations-per-hour']) {
    const message = 'Many studios began here just now. Please try again in an hour'
    return problem('slow-down', message, { retryAfterSeconds: 60 * 60 })
  }
  // A time zone that the database does not know falls back to the product's default.
  const timeZone = signUp.timeZone ? await knownTimeZone(deps.db, signUp.timeZone) : undefined
  const passwordHash = await hashPassword(signUp.password)
  const tokens = await createStudio(deps, { ...signUp, timeZone, passwordHash })
  if (!(tokens instanceof Problem)) await recordFailure(deps, [counter])
  return tokens
}

/**
 * Creates a studio with its owner and signs the owner in. Values that are taken are reported by field and count as guesses, because they
 * reveal existing accounts.
 */
export const setUpStudio = async (
  deps: Deps,
  enteredSignUp: StudioSignUp,
  address: string,
): Promise<SignInAnswer | Problem<'refused' | 'slow-down'>> => {
  const signUp = trimFields(enteredSignUp)
  const fields = validate<Onboarding>(signUp, onboardingRules)
  if (!isValid(fields)) return problem('refused', fixFieldsMessage, { fields })
  let rejection: Problem | undefined
  const attempt = { kind: 'setup', targets: [signUp.email, `from ${address}`], address } as const
  const tokens = await bruteForceGuard(deps, attempt, async () => {
    const result = await createUnderLimit(deps, signUp, address)
    if (!(result instanceof Problem)) return result
    rejection = result
    return undefined
  })
  if (tokens) return tokens
  const owner = await findOwner(deps, signUp, address)
  if (owner instanceof Problem) return owner
  if (owner) return await inTransaction(deps.db, (tx) => continueAfterPassword(deps, tx, owner))
  return rejection as Problem<'refused' | 'slow-down'> // where no studio was created, the problem is set
}
