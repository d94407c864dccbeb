import type { TextNode } from './catalogue.ts'

/** A subject's data that autofill uses: the name, and the fields that the studio imported or the customer typed. */
export type AutofillSubject = {
  firstName: string
  lastName: string
  fields: readonly { name: string; value: string }[]
}

const firstNames = ['firstname', 'first', 'fname', 'givenname']
const lastNames = ['lastname', 'last', 'lname', 'surname']
const fullNames = ['name', 'fullname']
const phones = ['phone', 'phonenumber', 'mobile', 'cell']
const emails = ['email', 'emailaddress']
const birthDates = ['dob', 'dateofbirth', 'birthdate', 'birthday']
const aliasGroups = [firstNames, lastNames, phones, emails, birthDates]

/** Field names are compared without case, spaces, `_` and `-` (section 5). */
export const sourceKey = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '')

/** Whether a source holds an e-mail address or a phone number; these are masked on display (section 5). */
export const privateSource = (source: string | null): 'email' | 'phone' | null => {
  const key = sourceKey(source ?? '')
  if (emails.includes(key)) return 'email'
  return phones.includes(key) ? 'phone' : null
}

/** The subject's value for a source (section 5, aliases); '' if there is none. The name source is first + last. */
export const sourceValue = (source: string | null, subject: AutofillSubject): string => {
  const key = sourceKey(source ?? '')
  if (key === '') return ''
  if (fullNames.includes(key)) return fullName(subject) || fieldValue([key], subject)
  if (firstNames.includes(key)) return firstName(subject)
  if (lastNames.includes(key)) return lastName(subject)
  const aliases = aliasGroups.find((group) => group.includes(key)) ?? []
  // The field of exactly that name takes precedence: a subject may have both a phone and a mobile.
  return fieldValue([key, ...aliases], subject)
}

const firstName = (subject: AutofillSubject): string => subject.firstName.trim() || fieldValue(firstNames, subject)
const lastName = (subject: AutofillSubject): string => subject.lastName.trim() || fieldValue(lastNames, subject)
const fullName = (subject: AutofillSubject): string => `${firstName(subject)} ${lastName(subject)}`.trim()

const fieldValue = (keys: readonly string[], subject: AutofillSubject): string => {
  const filled = subject.fields.filter((field) => field.value.trim() !== '')
  const matchingFields = keys.flatMap((key) => filled.filter((field) => sourceKey(field.name) === key))
  return matchingFields[0]?.value.trim() ?? ''
}

/**
 * The initial text of a node (section 5): the subject's value for `dataSource`, otherwise for `altDataSource`,
 * otherwise the node's own value, which does not count as autofilled.
 */
export const autofillText = (
  node: Pick<TextNode, 'dataSource' | 'altDataSource' | 'value'>,
  subject: AutofillSubject,
): { value: string; autoFilled: boolean } => {
  const subjectValue = sourceValue(node.dataSource, subject) || sourceValue(node.altDataSource, subject)
  return subjectValue === '' ? { value: node.value, autoFilled: false } : { value: subjectValue, autoFilled: true }
}
