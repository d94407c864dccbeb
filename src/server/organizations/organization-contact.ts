import type { OrganizationContact } from '#contract/studio/organizations.ts'
import { emptyAddress, normaliseAddress } from '#domain/shared/postal-address.ts'
import { fixFieldsMessage, isValid } from '#domain/shared/validators.ts'
import { type ContactFields, contactErrors } from '#domain/studio/organization.ts'
import type { Db, Transaction } from '../database/database.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { isStale, type Problem, problem } from '../http/problem.ts'
import type { OrganizationKey } from './read-organizations.ts'

type ContactAnswer = { contact: OrganizationContact | null }

const readContactRow = async (
  db: Db | Transaction,
  { studioId, organizationId }: OrganizationKey,
): Promise<OrganizationContact | null> => {
  const row = await db
    .selectFrom('organization_contacts')
    .select(['first_name', 'last_name', 'title', 'email', 'phone', 'address', 'version'])
    .where('studio_id', '=', studioId)
    .where('organization_id', '=', organizationId)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (!row) return null
  const { first_name: firstName, last_name: lastName, title, email, phone, version } = row
  const { address1, address2, city, state, zip } = { ...emptyAddress, ...row.address }
  return { firstName, lastName, title, email, phone, address: { address1, address2, city, state, zip }, version }
}

const selectOrganization = (db: Db | Transaction, { studioId, organizationId }: OrganizationKey) =>
  db.selectFrom('organizations').select('id').where('studio_id', '=', studioId).where('id', '=', organizationId)

/** The contact of an organization. */
export const readContact = async (db: Db, key: OrganizationKey): Promise<ContactAnswer | Problem<'not-found'>> => {
  const existing = await selectOrganization(db, key).executeTakeFirst()
  return existing ? { contact: await readContactRow(db, key) } : problem('not-found')
}

const columnsOf = ({ firstName, lastName, title, email, phone, address }: ContactFields) => ({
  ...{ first_name: firstName.trim(), last_name: lastName.trim(), title: title.trim() },
  ...{
    email: email.trim(),
    phone: phone.trim(),
    address: JSON.stringify({ ...normaliseAddress(address), country: 'US' }),
  },
})

/** The version that a client sees for an organization without a contact. */
const noContact = { version: 0 }

type Draft = ContactFields & { readonly version?: number | undefined }

/** Creates or changes the contact if its version is current. A contact needs an address (section 5). */
export const saveContact = (deps: Deps, key: OrganizationKey, { version, ...fields }: Draft) =>
  inTransaction(deps.db, async (tx) => {
    const { studioId, organizationId } = key
    if (!(await selectOrganization(tx, key).forUpdate().executeTakeFirst())) return problem('not-found')
    const errors = contactErrors(fields)
    if (!isValid(errors)) return problem('refused', fixFieldsMessage, { fields: errors })
    const current = await readContactRow(tx, key)
    if (isStale(current ?? noContact, version)) return problem('conflict')
    const columns = { ...columnsOf(fields), updated_at: deps.clock() }
    if (current) {
      await tx
        .updateTable('organization_contacts')
        .set(({ eb }) => ({ ...columns, version: eb('version', '+', 1) }))
        .where('studio_id', '=', studioId)
        .where('organization_id', '=', organizationId)
        .execute()
    } else {
      await tx
        .insertInto('organization_contacts')
        .values({ studio_id: studioId, organization_id: organizationId, ...columns, created_at: deps.clock() })
        .execute()
    }
    return { contact: await readContactRow(tx, key) }
  })

/** Removes the contact. Idempotent. */
export const removeContact = (deps: Deps, key: OrganizationKey): Promise<ContactAnswer | Problem<'not-found'>> =>
  inTransaction(deps.db, async (tx) => {
    const { studioId, organizationId } = key
    if (!(await selectOrganization(tx, key).forUpdate().executeTakeFirst())) return problem('not-found')
    await tx
      .deleteFrom('organization_contacts')
      .where('studio_id', '=', studioId)
      .where('organization_id', '=', organizationId)
      .execute()
    return { contact: null }
  })
