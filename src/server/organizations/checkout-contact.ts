import type { Infer } from 'superstruct'
import type { CheckoutContact, postCheckoutContact } from '#contract/studio/organizations.ts'
import { emptyAddress, hasAddress, normaliseAddress } from '#domain/shared/postal-address.ts'
import { fixFieldsMessage, isValid } from '#domain/shared/validators.ts'
import { checkoutContactErrors } from '#domain/studio/organization.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { User } from '../access/tokens/access-token.ts'
import { recordAudit } from '../audit/audit-log.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { problem } from '../http/problem.ts'

type Draft = Infer<typeof postCheckoutContact.body>

const normalizeContact = ({
  firstName,
  lastName,
  title = '',
  email,
  phone,
  address = emptyAddress,
}: Draft): CheckoutContact => ({
  ...{ firstName: firstName.trim(), lastName: lastName.trim(), title: title.trim() },
  ...{ email: email.trim(), phone: phone.trim(), address: normaliseAddress(address) ?? emptyAddress },
})

const isEmpty = ({ address, ...texts }: CheckoutContact): boolean =>
  !hasAddress(address) && Object.values(texts).every((text) => text === '')

/** Sets the contact shown at a job's checkout; an empty contact removes it. */
export const saveCheckoutContact = (
  deps: Deps,
  { organizationId, studioId, jobId, user }: JobKey & { organizationId: number; user: User },
  draft: Draft,
) =>
  inTransaction(deps.db, async (tx) => {
    const job = await tx
      .selectFrom('jobs')
      .select('id')
      .where('studio_id', '=', studioId)
      .where('id', '=', jobId)
      .where('organization_id', '=', organizationId)
      .forUpdate()
      .executeTakeFirst()
    if (!job) return problem('not-found')
    const normalized = normalizeContact(draft)
    const errors = checkoutContactErrors(normalized)
    if (!isValid(errors)) return problem('refused', fixFieldsMessage, { fields: errors })
    const contact = isEmpty(normalized) ? null : normalized
    await tx
      .updateTable('jobs')
      .set({ checkout_contact: contact && JSON.stringify(contact) })
      .where('studio_id', '=', studioId)
      .where('id', '=', jobId)
      .execute()
    const audit = { studioId, entityId: String(jobId), detail: {}, userId: user.id }
    await recordAudit(tx, deps, { ...audit, action: 'job.contact-changed' })
    return { contact }
  })
