import type { TextNode } from './catalogue.ts'

/** What filling in needs to know of a person: the name and the fields the studio imported or the customer typed. */
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

/** Whether a source speaks of an e-mail address or a phone number, whose values are masked in display (section 5). */
export const privateSource = (source: string | null): 'email' | 'phone' | null => {
  const key = sourceKey(source ?? '')
  if (emails.includes(key)) return 'email'
  return phones.includes(key) ? 'phone' : null
}

/** What a person's data says for a source (section 5, aliases); '' where it says nothing. The name source is first + last. */
export const sourceValue = (source: string | null, subject: AutofillSubject): string => {
  const key = sourceKey(source ?? '')
  if (key === '') return ''
  if (fullNames.includes(key)) return fullName(subject) || fieldValue([key], subject)
  if (firstNames.includes(key)) return firstName(subject)
  if (lastNames.includes(key)) return lastName(subject)
  const aliases = aliasGroups.find((group) => group.includes(key)) ?? []
  // The field of exactly that name first: a person may have both a phone and a mobile.
  return fieldValue([key, ...aliases], subject)
}

const firstName = (subject: AutofillSubject): string => subject.firstName.trim() || fieldValue(firstNames, subject)
const lastName = (subject: AutofillSubject): string => subject.lastName.trim() || fieldValue(lastNames, subject)
const fullName = (subject: AutofillSubject): string => `${firstName(subject)} ${lastName(subject)}`.trim()

const fieldValue = (keys: readonly string[], subject: AutofillSubject): string => {
  const filled = subject.fields.filter((field) => field.value.trim() !== '')
  const found = keys.flatMap((key) => filled.filter((field) => sourceKey(field.name) === key))
  return found[0]?.value.trim() ?? ''
}

/**
 * What a text node starts with (section 5): its `dataSource` of the person, else its `altDataSource`, else the node's own value,
 * which does not count as filled in.
 */
export const autofillText = (
  node: Pick<TextNode, 'dataSource' | 'altDataSource' | 'value'>,
  subject: AutofillSubject,
): { value: string; autoFilled: boolean } => {
  const found = sourceValue(node.dataSource, subject) || sourceValue(node.altDataSource, subject)
  return found === '' ? { value: node.value, autoFilled: false } : { value: found, autoFilled: true }
}
