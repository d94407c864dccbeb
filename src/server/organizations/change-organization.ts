import { sql } from 'kysely'
import type { Organization } from '#contract/studio/organizations.ts'
import { fixFieldsMessage, isValid } from '#domain/shared/validators.ts'
import {
  normaliseOrganizationName,
  type OrganizationFields,
  organizationErrors,
  organizationMessages,
} from '#domain/studio/organization.ts'
import { normaliseWebsite } from '#domain/studio/studio-fields.ts'
import type { User } from '../access/tokens/access-token.ts'
import { recordAudit } from '../audit/audit-log.ts'
import type { Transaction } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'
import { isStale } from '../http/stale.ts'
import { isNameTaken, type OrganizationKey, readOrganization } from './read-organizations.ts'

export type StudioActor = { readonly studioId: number; readonly user: User }

type Draft = Pick<OrganizationFields, 'name' | 'type'> & {
  readonly [field in 'phone' | 'email' | 'website' | 'note']?: string | undefined
}

const fieldsOf = ({
  name,
  type,
  phone = '',
  email = '',
  website = '',
  note: words = '',
}: Draft): OrganizationFields => ({
  ...{ name: normaliseOrganizationName(name), type, phone: phone.trim(), email: email.trim() },
  ...{ website: normaliseWebsite(website), note: words.trim() },
})

const columnsOf = ({ name, type, phone, email, website, note: words }: OrganizationFields) => ({
  ...{ name, type, phone: phone || null, email: email || null },
  ...{ website: website || null, note: words || null },
})

const refuse = (fields: Record<string, string[]>): Problem<'refused'> =>
  problem('refused', fixFieldsMessage, { fields })

/** One name at a time: of two that are the same, the second finds the first. */
const lockNames = async (tx: Transaction, studioId: number): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext(${`organization names of ${studioId}`}))`.execute(tx)
}

const objectionTo = async (
  tx: Transaction,
  { studioId, fields, but }: { studioId: number; fields: OrganizationFields; but?: number },
): Promise<Problem<'refused'> | undefined> => {
  const errors = organizationErrors(fields)
  if (!isValid(errors)) return refuse(errors)
  await lockNames(tx, studioId)
  const isTaken = await isNameTaken(tx, { studioId, name: fields.name, but })
  return isTaken ? refuse({ name: [organizationMessages.taken] }) : undefined
}

const told = async (tx: Transaction, key: OrganizationKey): Promise<Organization> => {
  const organization = await readOrganization(tx, key)
  if (!organization) throw new Error(`organization ${key.organizationId} was just written and is not there`)
  return organization
}

/** Makes an organization of a name that is free. */
export const createOrganization = (deps: Deps, { studioId, user }: StudioActor, draft: Draft) =>
  inTransaction(deps.db, async (tx) => {
    const fields = fieldsOf(draft)
    const refused = await objectionTo(tx, { studioId, fields })
    if (refused) return refused
    const now = deps.clock()
    const { id } = await tx
      .insertInto('organizations')
      .values({ studio_id: studioId, ...columnsOf(fields), created_at: now, updated_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    const about = { studioId, entityId: String(id), detail: { name: fields.name }, userId: user.id }
    await recordAudit(tx, deps, { ...about, action: 'organization.made' })
    return await told(tx, { studioId, organizationId: id })
  })

type Locked = { id: number; name: string; version: number; archived_at: Date | null }
type OrganizationLock = { readonly tx: Transaction; readonly organization: Locked; readonly key: OrganizationKey }

const withOrganization = <Result>(
  deps: Deps,
  key: OrganizationKey,
  change: (held: OrganizationLock) => Promise<Result>,
): Promise<Result | Problem<'not-found'>> =>
  inTransaction(deps.db, async (tx) => {
    const organization = await tx
      .selectFrom('organizations')
      .select(['id', 'name', 'version', 'archived_at'])
      .where('studio_id', '=', key.studioId)
      .where('id', '=', key.organizationId)
      .forUpdate()
      .executeTakeFirst()
    return organization ? await change({ tx, organization, key }) : problem('not-found')
  })

type Set = ReturnType<typeof columnsOf> | { archived_at: Date | null }

const write = async ({ tx, key }: OrganizationLock, { clock }: Deps, columns: Set): Promise<void> => {
  await tx
    .updateTable('organizations')
    .set(({ eb }) => ({ ...columns, version: eb('version', '+', 1), updated_at: clock() }))
    .where('studio_id', '=', key.studioId)
    .where('id', '=', key.organizationId)
    .execute()
}

type Action = 'organization.changed' | 'organization.archived' | 'organization.restored' | 'organization.removed'

const noteOf = (
  { tx, organization, key }: OrganizationLock,
  deps: Deps,
  { user, action }: { user: User; action: Action },
) =>
  recordAudit(tx, deps, {
    ...{ studioId: key.studioId, action, entityId: String(organization.id) },
    ...{ detail: { name: organization.name }, userId: user.id },
  })

/** Replaces what is said of an organization, as long as it is the version that was looked at. */
export const changeOrganization = (
  deps: Deps,
  { studioId, user }: StudioActor,
  { organizationId, version, ...draft }: Draft & { organizationId: number; version?: number | undefined },
) =>
  withOrganization(deps, { studioId, organizationId }, async (held) => {
    if (isStale(held.organization, version)) return problem('conflict')
    const fields = fieldsOf(draft)
    const refused = await objectionTo(held.tx, { studioId, fields, but: organizationId })
    if (refused) return refused
    await write(held, deps, columnsOf(fields))
    await noteOf(held, deps, { user, action: 'organization.changed' })
    return await told(held.tx, held.key)
  })

const hasJobs = async ({ tx, key }: OrganizationLock): Promise<boolean> => {
  const job = tx.selectFrom('jobs').select('id').where('studio_id', '=', key.studioId)
  return (await job.where('organization_id', '=', key.organizationId).limit(1).executeTakeFirst()) !== undefined
}

/** Takes an organization away, or archives it where it has jobs. */
export const removeOrganization = (deps: Deps, { studioId, user }: StudioActor, organizationId: number) =>
  withOrganization(deps, { studioId, organizationId }, async (held) => {
    if (!(await hasJobs(held))) {
      await held.tx
        .deleteFrom('organizations')
        .where('studio_id', '=', studioId)
        .where('id', '=', organizationId)
        .execute()
      await noteOf(held, deps, { user, action: 'organization.removed' })
      return { archived: false }
    }
    if (held.organization.archived_at === null) {
      await write(held, deps, { archived_at: deps.clock() })
      await noteOf(held, deps, { user, action: 'organization.archived' })
    }
    return { archived: true }
  })

/** Puts an archived organization back; one that is in use is as it is. */
export const restoreOrganization = (deps: Deps, { studioId, user }: StudioActor, organizationId: number) =>
  withOrganization(deps, { studioId, organizationId }, async (held) => {
    if (held.organization.archived_at !== null) {
      await write(held, deps, { archived_at: null })
      await noteOf(held, deps, { user, action: 'organization.restored' })
    }
    return await told(held.tx, held.key)
  })
