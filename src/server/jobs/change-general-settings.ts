import type { Infer } from 'superstruct'
import type { patchGeneral } from '#contract/studio/job-settings.ts'
import { latePriceRules } from '#domain/pricing/late-price.ts'
import { email, phone, validate, validationMessages } from '#domain/shared/validators.ts'
import type { CheckoutContact } from '../database/tables/columns.ts'
import type { Deps } from '../deps.ts'
import {
  type JobChange,
  type JobChangeProblem,
  type JobLock,
  type LockedJob,
  withLockedJob,
  writeJob,
} from './change-job.ts'
import { isActiveOrganization, noOrganizationMessage } from './create-job.ts'
import { dayErrors, type FieldErrors, fieldErrorsProblem } from './field-errors.ts'
import { setJobCode } from './job-code.ts'

type General = Infer<(typeof patchGeneral)['body']>

const publicGalleryMessage = 'This event has a public gallery, which shows everyone. Switch that off first'

const trimContact = ({
  firstName,
  lastName,
  email: emailText,
  phone: phoneText,
}: CheckoutContact): CheckoutContact => ({
  firstName: firstName.trim(),
  lastName: lastName.trim(),
  email: emailText.trim(),
  phone: phoneText.trim(),
})

const contactErrors = (contact: CheckoutContact | null | undefined): FieldErrors => {
  if (!contact) return {}
  const errors = validate(trimContact(contact), {
    ...(contact.email.trim() !== '' && { email: [email()] }),
    phone: [phone()],
  })
  return Object.fromEntries(Object.entries(errors).map(([name, messages]) => [`contact.${name}`, messages]))
}

/** The errors of the late price; what the input leaves out keeps its current value. */
const lateErrors = (row: LockedJob, input: General): FieldErrors =>
  validate(
    {
      orderBy: input.orderBy === undefined ? row.order_by : input.orderBy,
      lateBasisPoints: input.lateBasisPoints === undefined ? row.late_basis_points : input.lateBasisPoints,
      lateCents: input.lateCents === undefined ? row.late_cents : input.lateCents,
    },
    latePriceRules,
  )

const generalErrors = async ({ tx, row }: JobLock, input: General): Promise<FieldErrors> => {
  const { name, eventDate, orderBy, contact, organizationId, ownCodeOnly } = input
  return {
    ...(name?.trim() === '' && { name: [validationMessages.required] }),
    ...dayErrors({ eventDate, orderBy }),
    ...lateErrors(row, input),
    ...contactErrors(contact),
    ...(ownCodeOnly && row.gallery_is_public && { ownCodeOnly: [publicGalleryMessage] }),
    ...(organizationId !== undefined &&
      organizationId !== row.organization_id &&
      !(await isActiveOrganization(tx, { studioId: row.studio_id, organizationId })) && {
        organizationId: [noOrganizationMessage],
      }),
  }
}

/** The contact to store; null where all fields are blank. Fields that this form does not edit are preserved. */
const contactOf = (input: CheckoutContact, before: CheckoutContact | null): CheckoutContact | null =>
  Object.values(trimContact(input)).some((value) => value !== '') ? { ...before, ...trimContact(input) } : null

/** Changes the general settings: name, dates, code, contact and preferences. */
export const changeGeneral = (deps: Deps, request: JobChange, input: General): Promise<undefined | JobChangeProblem> =>
  withLockedJob(deps, request, async (locked) => {
    const { name, description, eventDate, orderBy, contact, organizationId, code, preferences, ownCodeOnly } = input
    const { lateBasisPoints, lateCents } = input
    const invalid = fieldErrorsProblem(await generalErrors(locked, input))
    if (invalid) return invalid
    const codeError = code === undefined ? null : await setJobCode(locked.tx, request.job, code)
    if (codeError !== null) return fieldErrorsProblem({ code: [codeError] })
    const newContact = contact && contactOf(contact, locked.row.checkout_contact)
    const change = {
      ...(name !== undefined && { name: name.trim() }),
      ...(description !== undefined && { description: description.trim() }),
      ...(eventDate !== undefined && { event_date: eventDate }),
      ...(orderBy !== undefined && { order_by: orderBy }),
      ...(lateBasisPoints !== undefined && { late_basis_points: lateBasisPoints }),
      ...(lateCents !== undefined && { late_cents: lateCents }),
      ...(ownCodeOnly !== undefined && { own_code_only: ownCodeOnly }),
      ...(organizationId !== undefined && { organization_id: organizationId }),
      ...(contact !== undefined && { checkout_contact: newContact ? JSON.stringify(newContact) : null }),
      ...(preferences !== undefined && { preferences: JSON.stringify(preferences) }),
    }
    await writeJob(locked.tx, deps, { job: request.job, change })
    return undefined
  })
