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
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { isStale, type Problem, problem } from '../http/problem.ts'
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
  note: noteText = '',
}: Draft): OrganizationFields => ({
  ...{ name: normaliseOrganizationName(name), type, phone: phone.trim(), email: email.trim() },
  ...{ website: normaliseWebsite(website), note: noteText.trim() },
})

const columnsOf = ({ name, type, phone, email, website, note: noteText }: OrganizationFields) => ({
  ...{ name, type, phone: phone || null, email: email || null },
  ...{ website: website || null, note: noteText || null },
})

const invalidFieldsProblem = (fields: Record<string, string[]>): Problem<'refused'> =>
  problem('refused', fixFieldsMessage, { fields })

/** Serializes changes of names, so that two organizations do not get the same name concurrently. */
const lockNames = async (tx: Transaction, studioId: number): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext(${`organization names of ${studioId}`}))`.execute(tx)
}

const fieldsProblem = async (
  tx: Transaction,
  { studioId, fields, exceptId }: { studioId: number; fields: OrganizationFields; exceptId?: number },
): Promise<Problem<'refused'> | undefined> => {
  const errors = organizationErrors(fields)
  if (!isValid(errors)) return invalidFieldsProblem(errors)
  await lockNames(tx, studioId)
  const isTaken = await isNameTaken(tx, { studioId, name: fields.name, exceptId })
  return isTaken ? invalidFieldsProblem({ name: [organizationMessages.taken] }) : undefined
}

const readAfterWrite = async (tx: Transaction, key: OrganizationKey): Promise<Organization> => {
  const organization = await readOrganization(tx, key)
  if (!organization) throw new Error(`organization ${key.organizationId} was just written and does not exist`)
  return organization
}

/** Creates an organization with an unused name. */
export const createOrganization = (deps: Deps, { studioId, user }: StudioActor, draft: Draft) =>
  inTransaction(deps.db, async (tx) => {
    const fields = fieldsOf(draft)
    const invalid = await fieldsProblem(tx, { studioId, fields })
    if (invalid) return invalid
    const now = deps.clock()
    const { id } = await tx
      .insertInto('organizations')
      .values({ studio_id: studioId, ...columnsOf(fields), created_at: now, updated_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    const audit = { studioId, entityId: String(id), detail: { name: fields.name }, userId: user.id }
    await recordAudit(tx, deps, { ...audit, action: 'organization.made' })
    return await readAfterWrite(tx, { studioId, organizationId: id })
  })

type LockedRow = { id: number; name: string; version: number; archived_at: Date | null }
type OrganizationLock = { readonly tx: Transaction; readonly organization: LockedRow; readonly key: OrganizationKey }

const withOrganization = <Result>(
  deps: Deps,
  key: OrganizationKey,
  change: (locked: OrganizationLock) => Promise<Result>,
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

type OrganizationColumns = ReturnType<typeof columnsOf> | { archived_at: Date | null }

const writeColumns = async (
  { tx, key }: OrganizationLock,
  { clock }: Deps,
  columns: OrganizationColumns,
): Promise<void> => {
  await tx
    .updateTable('organizations')
    .set(({ eb }) => ({ ...columns, version: eb('version', '+', 1), updated_at: clock() }))
    .where('studio_id', '=', key.studioId)
    .where('id', '=', key.organizationId)
    .execute()
}

type Action = 'organization.changed' | 'organization.archived' | 'organization.restored' | 'organization.removed'

const auditOrganization = (
  { tx, organization, key }: OrganizationLock,
  deps: Deps,
  { user, action }: { user: User; action: Action },
) =>
  recordAudit(tx, deps, {
    ...{ studioId: key.studioId, action, entityId: String(organization.id) },
    ...{ detail: { name: organization.name }, userId: user.id },
  })

/** Replaces the fields of an organization if its version is current. */
export const changeOrganization = (
  deps: Deps,
  { studioId, user }: StudioActor,
  { organizationId, version, ...draft }: Draft & { organizationId: number; version?: number | undefined },
) =>
  withOrganization(deps, { studioId, organizationId }, async (locked) => {
    if (isStale(locked.organization, version)) return problem('conflict')
    const fields = fieldsOf(draft)
    const invalid = await fieldsProblem(locked.tx, { studioId, fields, exceptId: organizationId })
    if (invalid) return invalid
    await writeColumns(locked, deps, columnsOf(fields))
    await auditOrganization(locked, deps, { user, action: 'organization.changed' })
    return await readAfterWrite(locked.tx, locked.key)
  })

/** Whether the organization has jobs, or had jobs whose orders gave it commissions. */
const isUsed = async ({ tx, key }: OrganizationLock): Promise<boolean> => {
  for (const table of ['jobs', 'commission_entries'] as const) {
    const query = tx.selectFrom(table).select('studio_id').where('studio_id', '=', key.studioId)
    const row = await query.where('organization_id', '=', key.organizationId).limit(1).executeTakeFirst()
    if (row) return true
  }
  return false
}

/** Deletes an organization, or archives it if it is used. */
export const removeOrganization = (deps: Deps, { studioId, user }: StudioActor, organizationId: number) =>
  withOrganization(deps, { studioId, organizationId }, async (locked) => {
    if (!(await isUsed(locked))) {
      await locked.tx
        .deleteFrom('organizations')
        .where('studio_id', '=', studioId)
        .where('id', '=', organizationId)
        .execute()
      await auditOrganization(locked, deps, { user, action: 'organization.removed' })
      return { archived: false }
    }
    if (locked.organization.archived_at === null) {
      await writeColumns(locked, deps, { archived_at: deps.clock() })
      await auditOrganization(locked, deps, { user, action: 'organization.archived' })
    }
    return { archived: true }
  })

/** Restores an archived organization. Idempotent. */
export const restoreOrganization = (deps: Deps, { studioId, user }: StudioActor, organizationId: number) =>
  withOrganization(deps, { studioId, organizationId }, async (locked) => {
    if (locked.organization.archived_at !== null) {
      await writeColumns(locked, deps, { archived_at: null })
      await auditOrganization(locked, deps, { user, action: 'organization.restored' })
    }
    return await readAfterWrite(locked.tx, locked.key)
  })
