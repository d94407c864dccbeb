import type { Infer } from 'superstruct'
import type { patchGeneral } from '#contract/studio/job-settings.ts'
import { email, phone, validate, validationMessages } from '#domain/shared/validators.ts'
import type { CheckoutContact } from '../database/tables/columns.ts'
import type { Deps } from '../deps.ts'
import { type JobChange, type JobChangeProblem, type JobLock, withLockedJob, writeJob } from './change-job.ts'
import { isActiveOrganization, noOrganizationMessage } from './create-job.ts'
import { dayErrors, type FieldErrors, fieldErrorsProblem } from './field-errors.ts'
import { setJobCode } from './job-code.ts'

type General = Infer<(typeof patchGeneral)['body']>

const galleryIsPublic = 'This event has a public gallery, which shows everybody. Switch that off first'

const trimmed = ({ firstName, lastName, email: mail, phone: number }: CheckoutContact): CheckoutContact => ({
  firstName: firstName.trim(),
  lastName: lastName.trim(),
  email: mail.trim(),
  phone: number.trim(),
})

const contactErrors = (contact: CheckoutContact | null | undefined): FieldErrors => {
  if (!contact) return {}
  const found = validate(trimmed(contact), {
    ...(contact.email.trim() !== '' && { email: [email()] }),
    phone: [phone()],
  })
  return Object.fromEntries(Object.entries(found).map(([name, messages]) => [`contact.${name}`, messages]))
}

const generalErrors = async (
  { tx, row }: JobLock,
  { name, eventDate, orderBy, contact, organizationId, ownCodeOnly }: General,
) => ({
  ...(name?.trim() === '' && { name: [validationMessages.required] }),
  ...dayErrors({ eventDate, orderBy }),
  ...contactErrors(contact),
  ...(ownCodeOnly && row.gallery_is_public && { ownCodeOnly: [galleryIsPublic] }),
  ...(organizationId !== undefined &&
    organizationId !== row.organization_id &&
    !(await isActiveOrganization(tx, { studioId: row.studio_id, organizationId })) && {
      organizationId: [noOrganizationMessage],
    }),
})

/** A contact of whom nothing is said is none; what this form does not ask of one stays. */
const contactOf = (said: CheckoutContact, before: CheckoutContact | null): CheckoutContact | null =>
  Object.values(trimmed(said)).some((part) => part !== '') ? { ...before, ...trimmed(said) } : null

/** What a job is called, when it is, its code, whom parents reach, what they see. */
export const changeGeneral = (deps: Deps, changing: JobChange, said: General): Promise<undefined | JobChangeProblem> =>
  withLockedJob(deps, changing, async (held) => {
    const { name, description, eventDate, orderBy, contact, organizationId, code, preferences, ownCodeOnly } = said
    const wrong = fieldErrorsProblem(await generalErrors(held, said))
    if (wrong) return wrong
    const codeError = code === undefined ? null : await setJobCode(held.tx, changing.job, code)
    if (codeError !== null) return fieldErrorsProblem({ code: [codeError] })
    const kept = contact && contactOf(contact, held.row.checkout_contact)
    const change = {
      ...(name !== undefined && { name: name.trim() }),
      ...(description !== undefined && { description: description.trim() }),
      ...(eventDate !== undefined && { event_date: eventDate }),
      ...(orderBy !== undefined && { order_by: orderBy }),
      ...(ownCodeOnly !== undefined && { own_code_only: ownCodeOnly }),
      ...(organizationId !== undefined && { organization_id: organizationId }),
      ...(contact !== undefined && { checkout_contact: kept ? JSON.stringify(kept) : null }),
      ...(preferences !== undefined && { preferences: JSON.stringify(preferences) }),
    }
    await writeJob(held.tx, deps, { job: changing.job, change })
    return undefined
  })
