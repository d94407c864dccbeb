import { expect, test } from 'vitest'
import { click, fire, getButton, getElement, render, type } from '#support/rendering/render.tsx'
import { jobResponse, staffScreenAt, stubStaffServer, waitUntil } from '#support/rendering/render-staff-screen.tsx'

const subject = {
  ...{ id: 7, jobId: 12, firstName: 'Ada', lastName: 'Byron', reference: null, code: null, isHidden: false },
  ...{ version: 1, hiddenAt: null, createdAt: '2027-04-15T10:00:00.000Z', checkedInAt: null, imageThumbnailUrl: null },
  fields: [{ id: 1, name: 'Grade', value: '12', hasOptions: false, templateId: null, optionId: null }],
  ...{ groups: [], images: [], orders: [], knownFields: [{ name: 'Grade', label: 'Grade', options: ['3', '4'] }] },
}

let patchCount = 0
stubStaffServer((path, method) => {
  if (method === 'PATCH') {
    patchCount += 1
    return { ...subject, lastName: 'Lovelace', version: 2 }
  }
  if (path.endsWith('/subjects/7')) return subject
  if (path.endsWith('/groups')) return []
  return path.endsWith('/jobs/12') ? jobResponse : undefined
})

test('a subject whose saved value is not one of the field’s options can be saved with that value', async () => {
  render(staffScreenAt('/admin/studios/3/jobs/12/subjects/7'))
  const lastName = () => document.querySelector<HTMLInputElement>('input[name="lastName"]')
  await waitUntil(() => expect(lastName()?.value).toBe('Byron'))
  const input = lastName()
  if (input) type(input, 'Lovelace')
  // The library does not fill a select in this simulated page.
  const grade = getElement<HTMLSelectElement>('select[name="fields.0.value"]')
  grade.value = '12'
  fire(grade, new Event('change', { bubbles: true }))
  await waitUntil(() => expect(getButton('Save').disabled).toBe(false))
  click(getButton('Save'))
  await waitUntil(() => expect(patchCount).toBe(1))
})
