import { sql } from 'kysely'
import type { TokenPair } from '#contract/system/auth.ts'
import { fixFieldsMessage, isValid, validate } from '#domain/shared/validators.ts'
import { type Onboarding, onboardingRules } from '#domain/studio/onboarding.ts'
import { slugError } from '#domain/studio/studio-slug.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import type { Db, Transaction } from '#server/database/database.ts'
import { inTransaction } from '#server/database/in-transaction.ts'
import { knownTimeZone } from '#server/database/known-time-zone.ts'
import { retryOnUniqueViolation } from '#server/database/retry-on-unique-violation.ts'
import type { Deps } from '#server/deps.ts'
import { hashOf } from '#server/http/hash.ts'
import { Problem, problem } from '#server/http/problem.ts'
import { bruteForceGuard } from '../brute-force/brute-force-guard.ts'
import { countFailures, recordFailure } from '../brute-force/failure-counts.ts'
import { hashPassword } from './hash-password.ts'
import { type Account, enabledAccounts, signInAs } from './token-pair.ts'
import { verifyPassword } from './verify-password.ts'

/** New studios per address and hour: enough for a room of photographers, too few for a bot. */
const mostPerHour = 10

const takenSlug = 'This address is taken. Please choose another'
const takenNumber = 'Another studio uses this account number. Please look at it again, or leave it out for now'
const takenEmail = 'Somebody already signs in with this address. Log in, or use another'

const isSlugTaken = async (db: Db | Transaction, slug: string): Promise<boolean> => {
  const { rows } = await sql<{ taken: boolean }>`
    select exists (select from studio_slugs where slug = ${slug}) or exists (select from studios where slug = ${slug}) as taken`.execute(
    db,
  )
  return rows[0]?.taken ?? false
}

/** Why a new studio may not use a slug; null where it may. */
export const slugMessage = async (db: Db, slug: string): Promise<string | null> =>
  slugError(slug) ?? ((await isSlugTaken(db, slug)) ? takenSlug : null)

type StudioSignUp = Onboarding & { readonly timeZone?: string | undefined }
type HashedStudioSignUp = StudioSignUp & { readonly passwordHash: string }

/** The messages for values that are taken already, by field. */
const takenOf = async (
  tx: Transaction,
  { slug, accountNumber, email }: StudioSignUp,
): Promise<Record<string, string[]>> => {
  const { rows } = await sql<{ number: boolean; email: boolean }>`
    select exists (select from studios where account_number = ${accountNumber || null}) as number,
           exists (select from users where email = ${email} and removed_at is null) as email`.execute(tx)
  return {
    ...((await isSlugTaken(tx, slug)) && { slug: [takenSlug] }),
    ...(rows[0]?.number && { accountNumber: [takenNumber] }),
    ...(rows[0]?.email && { email: [takenEmail] }),
  }
}

const insertStudio = async (
  tx: Transaction,
  { slug, studioName, accountNumber, timeZone }: HashedStudioSignUp,
): Promise<number> => {
  const { id } = await tx
    .insertInto('studios')
    .values({
      slug,
      name: studioName,
      account_number: accountNumber || null,
      has_rspo_jobs: true,
      ...(timeZone !== undefined && { time_zone: timeZone }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx.insertInto('studio_slugs').values({ slug, studio_id: id }).execute()
  await sql`insert into studio_features (studio_id, feature_id) select ${id}, id from features where is_default`.execute(
    tx,
  )
  return id
}

const insertOwner = (
  tx: Transaction,
  studioId: number,
  { name, email, passwordHash }: HashedStudioSignUp,
): Promise<Account> =>
  tx
    .insertInto('users')
    .values({ email, name, role: 'owner', studio_id: studioId, password_hash: passwordHash })
    .returning(['id', 'name', 'email', 'role', 'studio_id'])
    .executeTakeFirstOrThrow()

/** The owner created by the same request, sent twice. */
const ownerOf = async (
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

const makeStudio = (deps: Deps, made: HashedStudioSignUp): Promise<TokenPair | Problem<'refused'>> =>
  retryOnUniqueViolation(() =>
    inTransaction(deps.db, async (tx) => {
      const fields = await takenOf(tx, made)
      if (!isValid(fields)) return problem('refused', fixFieldsMessage, { fields })
      const studioId = await insertStudio(tx, made)
      const owner = await insertOwner(tx, studioId, made)
      const detail = { name: made.studioName, slug: made.slug }
      await recordAudit(tx, deps, {
        ...{ studioId, action: 'studio.begun', entityId: String(studioId), detail },
        userId: owner.id,
      })
      return await signInAs(deps, tx, owner)
    }),
  )

const cleaned = (typed: StudioSignUp): StudioSignUp => ({
  ...typed,
  studioName: typed.studioName.trim(),
  slug: typed.slug.trim(),
  accountNumber: typed.accountNumber?.trim(),
  name: typed.name.trim(),
  email: typed.email.trim().toLowerCase(),
})

const begin = async (deps: Deps, wanted: StudioSignUp, address: string): Promise<TokenPair | Problem> => {
  const begun = { kind: 'target', key: hashOf(`begun:${address}`) } as const
  const [studios = 0] = await countFailures(deps, [begun])
  if (studios >= mostPerHour) {
    const sentence = 'Many studios began here just now. Please try again in an hour'
    return problem('slow-down', sentence, { retryAfterSeconds: 60 * 60 })
  }
  // A time zone that the database does not know falls back to the product's default.
  const timeZone = wanted.timeZone ? await knownTimeZone(deps.db, wanted.timeZone) : undefined
  const passwordHash = await hashPassword(wanted.password)
  const made = await makeStudio(deps, { ...wanted, timeZone, passwordHash })
  if (!(made instanceof Problem)) await recordFailure(deps, [begun])
  return made
}

/**
 * Creates a studio with its owner and signs the owner in. Values that are taken are reported by field and count as guesses, because they
 * reveal existing accounts.
 */
export const setUpStudio = async (
  deps: Deps,
  typed: StudioSignUp,
  address: string,
): Promise<TokenPair | Problem<'refused' | 'slow-down'>> => {
  const wanted = cleaned(typed)
  const fields = validate<Onboarding>(wanted, onboardingRules)
  if (!isValid(fields)) return problem('refused', fixFieldsMessage, { fields })
  let refused: Problem | undefined
  const attempt = { kind: 'setup', targets: [wanted.email, `from ${address}`], address } as const
  const made = await bruteForceGuard(deps, attempt, async () => {
    const result = await begin(deps, wanted, address)
    if (!(result instanceof Problem)) return result
    refused = result
    return undefined
  })
  if (made) return made
  const before = await ownerOf(deps, wanted, address)
  if (before instanceof Problem) return before
  if (before) return await inTransaction(deps.db, (tx) => signInAs(deps, tx, before))
  return refused as Problem<'refused' | 'slow-down'> // where no studio was created, the problem is set
}
