import { sourceKey } from '../catalogue/autofill.ts'

/** What a column of a list can contain about a subject; `field` stores it under a custom name, `ignore` drops it. */
export const importTargets = [
  'firstName',
  'lastName',
  'fullName',
  'reference',
  'code',
  'group',
  'field',
  'ignore',
] as const
export type ImportTarget = (typeof importTargets)[number]

/**
 * How a column (counted from 0) is used. `field`: the name it is stored under; a group can also be stored as a field.
 */
export type ColumnUse = { readonly column: number; readonly target: ImportTarget; readonly field: string | null }

/** Normalises a heading for comparison: no case, accents, blanks or punctuation; `#` becomes "number". */
export const headingKey = (heading: string): string =>
  heading
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('#', 'number')
    .replace(/[^\p{L}\p{N}]/gu, '')

type Guess = { readonly target: ImportTarget; readonly field: string | null }

const guessesFor = (target: ImportTarget, headings: string, field: string | null = null): [string, Guess][] =>
  headings.split(' ').map((heading) => [heading, { target, field }])

/** Headings as schools and clubs write them (section 5 has the first of them). */
const guesses: ReadonlyMap<string, Guess> = new Map([
  ...guessesFor(
    'firstName',
    'firstname first fname givenname given forename studentfirstname studentfirst childfirstname',
  ),
  ...guessesFor(
    'firstName',
    'playerfirstname playerfirst athletefirstname stufirstname legalfirstname nombre prenom vorname',
  ),
  ...guessesFor('lastName', 'lastname last lname surname familyname studentlastname studentlast childlastname'),
  ...guessesFor(
    'lastName',
    'playerlastname playerlast athletelastname stulastname legallastname apellido apellidos nachname',
  ),
  ...guessesFor(
    'fullName',
    'name fullname names studentname student childname child playername player athletename athlete',
  ),
  ...guessesFor(
    'fullName',
    'namelastfirst lastfirst lastnamefirstname studentnamelastfirst participantname participant',
  ),
  ...guessesFor('fullName', 'pupilname pupil nameofstudent nombrecompleto membername nom'),
  ...guessesFor(
    'reference',
    'studentid studentnumber studentidnumber studentno stuid stunumber sid pupilid playerid memberid',
  ),
  ...guessesFor(
    'reference',
    'localid localstudentid idnumber idno reference referencenumber ref permid permanentid sisid',
  ),
  ...guessesFor('reference', 'externalid districtid otherid barcode id'),
  ...guessesFor('code', 'accesscode code photocode onlinecode gallerycode ordercode qrcode picturecode'),
  ...guessesFor('group', 'group groups class classroom classname division squad section'),
  ...guessesFor('group', 'homeroom hr homeroomname', 'Homeroom'),
  ...guessesFor('group', 'team teamname', 'Team'),
  ...guessesFor('field', 'grade gradelevel gr grd yeargroup', 'Grade'),
  ...guessesFor('field', 'teacher teachername homeroomteacher homeroomteachername advisor adviser', 'Teacher'),
  ...guessesFor('field', 'jersey jerseynumber jerseyno uniformnumber shirtnumber number no', 'Jersey number'),
  ...guessesFor('field', 'phone phonenumber mobile cell parentphone homephone cellphone', 'Phone'),
  ...guessesFor('field', 'email emailaddress parentemail guardianemail', 'Email'),
  ...guessesFor('field', 'dob dateofbirth birthdate birthday', 'Date of birth'),
])

/** What a heading means: `Grade`, `Homeroom`, `Teacher` or another field's name, or `reference`; null if it is unknown. */
export const standardFieldOf = (heading: string): string | null => {
  const guess = guesses.get(headingKey(heading))
  return guess?.field ?? (guess?.target === 'reference' ? guess.target : null)
}

/** Data that a photographer must not see. */
const confidentialHeading =
  /ssn|socialsecurity|medical|allerg|medication|diagnos|lunchstatus|freereduced|iep|504|race|ethnic|religion|disab|custody/

/** Whether a heading is a known one. */
export const isKnownHeading = (heading: string): boolean => guesses.has(headingKey(heading))

/** A field that the platform's administrators defined, with other headings that lists have for it. */
export type DefinedHeading = {
  readonly name: string
  readonly aliases: readonly string[]
  /** Whether imports leave it out until staff choose it. */
  readonly isSensitive: boolean
}

/**
 * The guess for a heading from the defined fields. Another heading of a field always means it; its name only if it does not mean a name,
 * a group or a number of the subject.
 */
const guessByDefinedField = (key: string, defined: readonly DefinedHeading[]): Guess | undefined => {
  const knownTarget = guesses.get(key)?.target ?? 'field'
  const field =
    defined.find(({ aliases }) => aliases.some((alias) => headingKey(alias) === key)) ??
    (knownTarget === 'field' ? defined.find(({ name }) => headingKey(name) === key) : undefined)
  if (!field || key === '') return undefined
  return field.isSensitive ? { target: 'ignore', field: null } : { target: 'field', field: field.name }
}

const guessByHeading = (heading: string, defined: readonly DefinedHeading[]): Guess => {
  const key = headingKey(heading)
  const knownGuess = guessByDefinedField(key, defined) ?? guesses.get(key)
  if (knownGuess) return knownGuess
  const name = heading.replace(/\s+/g, ' ').trim().slice(0, maxFieldNameLength)
  return key === '' || confidentialHeading.test(key)
    ? { target: 'ignore', field: null }
    : { target: 'field', field: name }
}

/** Maximum length of a field's name. */
export const maxFieldNameLength = 60

export type ImportColumn = {
  readonly index: number
  readonly heading: string
  /** Whether the list names the column; otherwise it is called by its letter. */
  readonly isNamed: boolean
  /** A few non-empty cells of the column. */
  readonly samples: readonly string[]
}

/**
 * Picks one of several columns for a value that a subject has once: the one whose heading comes first in `guesses`. A
 * column without a known heading, which was guessed by its cells, comes last.
 */
const pickColumn = (columns: readonly { index: number; key: string }[]): number | undefined => {
  const order = [...guesses.keys()]
  const rankOf = (key: string): number => (guesses.has(key) ? order.indexOf(key) : order.length)
  return columns.toSorted((a, b) => rankOf(a.key) - rankOf(b.key))[0]?.index
}

const isLastCommaFirst = (sample: string): boolean => {
  const parts = sample.split(',').map((part) => part.trim())
  return parts.length === 2 && parts.every((part) => part !== '') && !/\d/.test(sample)
}

/** A column without a heading that contains only names like "Lovelace, Ada". */
const containsNames = ({ samples }: ImportColumn): boolean => samples.length > 0 && samples.every(isLastCommaFirst)

/** The likely use of each column of a list, given the fields that administrators defined; staff correct it if needed. */
export const guessColumnUses = (
  columns: readonly ImportColumn[],
  defined: readonly DefinedHeading[] = [],
): ColumnUse[] => {
  const firstGuesses = columns.map((column) => {
    if (column.isNamed)
      return { column: column.index, heading: column.heading, ...guessByHeading(column.heading, defined) }
    const target: ImportTarget = containsNames(column) ? 'fullName' : 'ignore'
    return { column: column.index, heading: column.heading, target, field: null }
  })
  const has = (target: ImportTarget) => firstGuesses.some((use) => use.target === target)
  const resolvedUses = firstGuesses.map((use) => {
    if (use.target !== 'fullName') return use
    // Next to a last name, "Name" is the first name; next to a first name, the last name; next to both, a field.
    if (has('lastName') && has('firstName')) return { ...use, ...asField(use.heading) }
    if (has('lastName')) return { ...use, target: 'firstName' as const }
    return has('firstName') ? { ...use, target: 'lastName' as const } : use
  })
  return withoutDuplicates(resolvedUses)
}

const asField = (heading: string): Guess => ({ target: 'field', field: heading.replace(/\s+/g, ' ').trim() })

type HeadedColumnUse = ColumnUse & { readonly heading: string }

const singleValueTargets: readonly ImportTarget[] = ['firstName', 'lastName', 'fullName', 'reference', 'code']

/** Uses one column for each value that a subject has once, and one for groups; makes field names unique. */
const withoutDuplicates = (uses: readonly HeadedColumnUse[]): ColumnUse[] => {
  const chosen = new Map(
    [...singleValueTargets, 'group' as const].map((target) => {
      const candidates = uses.filter((use) => use.target === target)
      return [
        target as ImportTarget,
        pickColumn(candidates.map((use) => ({ index: use.column, key: headingKey(use.heading) }))),
      ]
    }),
  )
  const takenKeys = new Set<string>()
  return uses.map(({ column, heading, ...use }) => {
    const isChosen = !chosen.has(use.target) || chosen.get(use.target) === column
    const { target, field } = isChosen ? use : { ...asField(heading), ...(use.field && { field: use.field }) }
    if (field === null) return { column, target, field }
    const key = sourceKey(field)
    const name = takenKeys.has(key) ? heading.slice(0, maxFieldNameLength) : field
    if (takenKeys.has(sourceKey(name))) return { column, target: target === 'group' ? target : 'ignore', field: null }
    takenKeys.add(sourceKey(name))
    return { column, target, field: name }
  })
}

const singleValueNames: Partial<Record<ImportTarget, string>> = {
  firstName: 'the first name',
  lastName: 'the last name',
  fullName: 'the full name',
  reference: 'the student id',
  code: 'the access code',
}

/** Errors in the uses of a list's columns, as messages; empty if subjects can be read with them. */
export const columnUseErrors = (uses: readonly ColumnUse[]): string[] => {
  const has = (target: ImportTarget) => uses.some((use) => use.target === target)
  const errors: string[] = []
  if (!has('firstName') && !has('lastName') && !has('fullName')) errors.push('Please choose the column with the names')
  if (has('fullName') && (has('firstName') || has('lastName')))
    errors.push('Choose either one column for the full name, or one for the first and one for the last name')
  for (const target of singleValueTargets) {
    if (uses.filter((use) => use.target === target).length > 1)
      errors.push(`Only one column can be ${singleValueNames[target]}`)
  }
  const fields = uses.flatMap(({ target, field }) => (target === 'field' || target === 'group' ? (field ?? []) : []))
  const duplicate = fields.find(
    (name, index) => fields.findIndex((otherName) => sourceKey(otherName) === sourceKey(name)) !== index,
  )
  if (duplicate !== undefined) errors.push(`Two columns have the name “${duplicate}”. Please rename one of them`)
  if (uses.some(({ target, field }) => target === 'field' && (field ?? '').trim() === ''))
    errors.push('Please name each field')
  if (fields.some((name) => name.length > maxFieldNameLength))
    errors.push(`The name of a field can have at most ${maxFieldNameLength} characters`)
  return errors
}
