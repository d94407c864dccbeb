import 'fake-indexeddb/auto'
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { JobContext } from '#client/customer/shared/job/job-context.tsx'
import { NewSubjectForm } from '#client/customer/subjects/new-subject-form.tsx'
import { SubjectDetailsForm } from '#client/customer/subjects/subject-details-form.tsx'
import { emptySubjectForm, type SubjectFormValues } from '#client/customer/subjects/subject-form-values.ts'
import type { CustomField } from '#domain/subjects/custom-fields.ts'
import { readDraft, saveDraft } from '#local/store/device-entries.ts'
import { typedSubjectsOf } from '#local/store/typed-subjects.ts'
import { notifyCacheUpdate } from '#platform/api/cache-updates.ts'
import { clearQueryCache } from '#platform/api/use-query.ts'
import { database } from '#platform/database.ts'
import {
  cleanUp,
  click,
  countElements,
  fire,
  getButton,
  getElement,
  render,
  type,
  waitForPage,
} from '#support/rendering/render.tsx'
import { springJobContext } from '#tests/client/job-context-examples.ts'
import { customField } from '#tests/domain/cart/cart-fixtures.ts'

const options = [
  { id: 5, value: '3' },
  { id: 6, value: '4' },
]
const grade = customField({
  id: 2,
  name: 'Grade',
  label: 'Grade',
  required: true,
  hasOptions: true,
  options,
  templateId: 12,
})
const house = customField({
  id: 3,
  name: 'House',
  label: 'House',
  hasOptions: true,
  options: [{ id: 7, value: 'Blue' }],
})
const locker = customField({ id: 4, name: 'Locker', label: 'Locker', inputType: 'alphanumeric', required: true })
const notes = customField({ id: 5, name: 'Notes', label: 'Notes', inputType: 'textarea' })
const allFields = [grade, house, locker, notes]

let fields: CustomField[] = allFields
let online = true
const server = async (): Promise<Response> => {
  if (!online) throw new TypeError('Failed to fetch')
  return Response.json({ data: fields })
}

const pageText = () => document.body.textContent ?? ''
const control = <Type extends Element = HTMLInputElement>(name: string): Type => getElement<Type>(`[name="${name}"]`)
const select = (name: string) => control<HTMLSelectElement>(`answers.${name}`)
const labels = (name: string) => [...select(name).options].map((option) => option.textContent)

/** The error of a control, found by its `aria-describedby`. */
const errorAt = (name: string): string => {
  const ids = control(name).getAttribute('aria-describedby')?.split(' ') ?? []
  return ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ')
}

const chooseOption = (name: string, value: string) => {
  const element = select(name)
  element.value = value
  fire(element, new Event('change', { bubbles: true }))
}

let submissions: { values: SubjectFormValues; fields: CustomField[] | undefined }[] = []
let isAccepted = true

/** A new key for each test, because the draft of the previous test may still be written. */
let draftKey = ''
let draftNumber = 0
const prepay = springJobContext({ orderMethod: 'prepay' })

const openForm = async (until = 'First name') => {
  render(
    <JobContext value={prepay}>
      <SubjectDetailsForm
        initialValues={emptySubjectForm}
        asksName
        draftKey={draftKey}
        submitLabel="Save"
        onSubmit={async (values, fields) => {
          submissions.push({ values, fields })
          return isAccepted
        }}
      />
    </JobContext>,
  )
  await waitForPage(() => expect(pageText()).toContain(until))
}

const leaveForm = () => {
  cleanUp()
  clearQueryCache()
}

const fillIn = () => {
  type(control('firstName'), ' Bo ')
  type(control('lastName'), 'Ek')
  chooseOption('Grade', '4')
  type(control('answers.Locker'), 'B-12')
}

beforeEach(async () => {
  fields = allFields
  online = true
  submissions = []
  isAccepted = true
  vi.stubGlobal('fetch', server)
  draftNumber += 1
  draftKey = `person:test-${draftNumber}`
  for (const table of [database.people, database.outbox]) await table.clear()
})

afterEach(() => {
  leaveForm()
  vi.unstubAllGlobals()
})

describe('adding a subject', () => {
  test('shows each field by its type, and only optional answers can be cleared', async () => {
    await openForm()
    expect(labels('Grade')).toEqual(['Choose', '3', '4'])
    expect(labels('House')).toEqual(['No answer', 'Blue'])
    expect(control('answers.Notes').tagName).toBe('TEXTAREA')
    type(control('answers.Locker'), 'B-12~')
    expect(control('answers.Locker').value).toBe('B12')
    expect(pageText()).toContain('House (optional)')
    expect(pageText()).not.toContain('Grade (optional)')
    expect(select('Grade').required || select('Grade').getAttribute('aria-required')).toBeTruthy()
  })

  test('reports all missing fields at once, focuses the first, and saves nothing incomplete', async () => {
    await openForm()
    type(control('firstName'), '   ')
    click(getButton('Save'))
    for (const name of ['firstName', 'lastName', 'answers.Grade', 'answers.Locker'])
      expect(errorAt(name)).toBe('This field is required')
    expect(countElements('[aria-invalid="true"]')).toBe(4)
    expect(document.activeElement).toBe(control('firstName'))
    expect(submissions).toEqual([])
    fillIn()
    click(getButton('Save'))
    await waitForPage(() => expect(submissions).toHaveLength(1))
    expect(countElements('[aria-invalid="true"]')).toBe(0)
    expect(pageText()).not.toContain('This field is required')
    expect(submissions[0]?.values).toEqual({ firstName: 'Bo', lastName: 'Ek', answers: { Grade: '4', Locker: 'B12' } })
  })

  test('lists the allowed answers, and shows one that is no longer allowed', async () => {
    await saveDraft(database, draftKey, {
      v: 1,
      firstName: 'Bo',
      lastName: 'Ek',
      answers: { Grade: '9', Locker: 'B12' },
    })
    await openForm()
    expect(select('Grade').value).toBe('9')
    click(getButton('Save'))
    expect(errorAt('answers.Grade')).toBe('This value must be one of 3, 4')
    expect(document.activeElement).toBe(select('Grade'))
    chooseOption('Grade', '3')
    click(getButton('Save'))
    await waitForPage(() => expect(submissions[0]?.values.answers).toEqual({ Grade: '3', Locker: 'B12' }))
    expect(labels('Grade')).toEqual(['Choose', '3', '4'])
  })

  test('is stored as it is typed, through reloads, until it is submitted', async () => {
    await openForm()
    fillIn()
    await waitForPage(async () =>
      expect(await readDraft(database, draftKey)).toMatchObject({ answers: { Locker: 'B12' } }),
    )
    leaveForm()
    await openForm()
    expect(control('firstName').value).toBe(' Bo ')
    expect(select('Grade').value).toBe('4')
    isAccepted = false
    click(getButton('Save'))
    await waitForPage(() => expect(submissions).toHaveLength(1))
    await waitForPage(() => expect(countElements('form[aria-busy]')).toBe(0))
    expect(control('lastName').value).toBe('Ek')
    expect(await readDraft(database, draftKey)).toMatchObject({ lastName: 'Ek' })
    isAccepted = true
    click(getButton('Save'))
    await waitForPage(async () => expect(await readDraft(database, draftKey)).toBeUndefined())
  })

  test('accepts the name offline, and fields that load later keep the input', async () => {
    online = false
    await openForm('The studio’s questions aren’t on this phone yet')
    type(control('firstName'), 'Bo')
    type(control('lastName'), 'Ek')
    online = true
    act(() => notifyCacheUpdate(null))
    await waitForPage(() => expect(labels('Grade')).toHaveLength(3))
    expect(control('firstName').value).toBe('Bo')
    click(getButton('Save'))
    expect(errorAt('answers.Grade')).toBe('This field is required')
    expect(submissions).toEqual([])
  })
})

test('a new subject is stored with the template and option of each answer, and omitted answers as empty', async () => {
  history.replaceState(null, '', '/riverside/1/search')
  render(
    <JobContext value={prepay}>
      <NewSubjectForm studioSlug="riverside" jobId={1} />
    </JobContext>,
  )
  await waitForPage(() => expect(pageText()).toContain('First name'))
  fillIn()
  click(getButton('See the packages'))
  await waitForPage(() => expect(location.pathname).toMatch(/^\/riverside\/1\/subject\/-\d+\/select-package$/))
  const [person] = await typedSubjectsOf(database, 1)
  expect(person).toMatchObject({
    firstName: 'Bo',
    lastName: 'Ek',
    dataFields: [
      { subjectId: null, name: 'Grade', value: '4', templateId: 12, optionId: 6 },
      { subjectId: null, name: 'House', value: '', templateId: null, optionId: null },
      { subjectId: null, name: 'Locker', value: 'B12', templateId: null, optionId: null },
      { subjectId: null, name: 'Notes', value: '', templateId: null, optionId: null },
    ],
  })
})
