import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { JobContext } from '#client/customer/shared/job/job-context.tsx'
import { SubjectDetailsForm } from '#client/customer/subjects/subject-details-form.tsx'
import type { SubjectFormValues } from '#client/customer/subjects/subject-form-values.ts'
import { TypedSubjectList } from '#client/customer/subjects/typed-subject-list.tsx'
import { readDraft } from '#local/store/device-entries.ts'
import { clearQueryCache } from '#platform/api/use-query.ts'
import { database } from '#platform/database.ts'
import { click, fire, getButton, getElement, render, type, waitForPage } from '#support/rendering/render.tsx'
import { springJobContext } from '#tests/client/job-context-examples.ts'
import { customField } from '#tests/domain/cart/cart-fixtures.ts'

const answers = { Email: 'ada@engine.test', Phone: '(555) 123-4567', Teacher: 'Ms. Alvarez' }
const fields = [
  customField({ id: 1, name: 'Email', label: 'Email' }),
  customField({ id: 2, name: 'Phone', label: 'Phone', inputType: 'alphanumeric' }),
  customField({ id: 3, name: 'Teacher', label: 'Teacher' }),
]

let saved: SubjectFormValues[] = []
const answerInput = (name: string) => getElement<HTMLInputElement>(`[name="answers.${name}"]`)

const openForm = async () => {
  render(
    <JobContext value={springJobContext({ orderMethod: 'prepay' })}>
      <SubjectDetailsForm
        initialValues={{ firstName: 'Ada', lastName: 'Lovelace', answers }}
        asksName={false}
        draftKey="person:1:7"
        submitLabel="Save"
        onSubmit={async (values) => {
          saved.push(values)
          return false
        }}
      />
    </JobContext>,
  )
  await waitForPage(() => expect(answerInput('Email')).not.toBeNull())
}

beforeEach(async () => {
  await database.delete()
  await database.open()
  saved = []
  vi.stubGlobal('fetch', async () => Response.json({ data: fields }))
})

afterEach(() => {
  vi.unstubAllGlobals()
  clearQueryCache()
})

test('known answers show email and phone masked, and are saved unmasked if not edited (section 5)', async () => {
  await openForm()
  const visibleValues = () => ['Email', 'Phone', 'Teacher'].map((name) => answerInput(name).value)
  expect(visibleValues()).toEqual(['ad***@engine.test', '***-***-4567', 'Ms. Alvarez'])
  expect(document.body.textContent?.match(/Hidden here, saved in full/g)).toHaveLength(2)
  for (const name of ['Email', 'Phone']) fire(answerInput(name), new FocusEvent('focusout', { bubbles: true }))
  expect(visibleValues().slice(0, 2)).toEqual(['ad***@engine.test', '***-***-4567'])
  click(getButton('Save'))
  await waitForPage(() => expect(saved).toMatchObject([{ answers }]))
})

test('a new value replaces a mask, and a partly edited mask is not saved', async () => {
  await openForm()
  type(answerInput('Email'), 'ad***@engine.tes')
  click(getButton('Save'))
  expect(document.body.textContent).toContain('Type it in full, or leave it as it was')
  expect(saved).toEqual([])
  type(answerInput('Email'), 'bo@engine.test')
  click(getButton('Save'))
  await waitForPage(() => expect(saved).toMatchObject([{ answers: { ...answers, Email: 'bo@engine.test' } }]))
  await waitForPage(async () =>
    expect(JSON.stringify(await readDraft(database, 'person:1:7'))).toContain('bo@engine.test'),
  )
  expect(JSON.stringify(await readDraft(database, 'person:1:7'))).not.toContain('123-4567')
})

test('typed subjects are distinguished by their answers, private ones masked', () => {
  const dataFields = Object.entries(answers).map(([name, value]) => ({
    subjectId: null,
    name,
    value,
    templateId: null,
    optionId: null,
  }))
  const ada = { n: 1, jobId: 1, personId: 'p', firstName: 'Ada', lastName: 'Lovelace', dataFields }
  render(<TypedSubjectList route={{ studioSlug: 'riverside', jobId: 1 }} subjects={[ada]} />)
  expect(getElement('li').textContent).toContain('ad***@engine.test, ***-***-4567')
  expect(document.body.innerHTML).not.toMatch(/ada@engine|123-4567/)
})
