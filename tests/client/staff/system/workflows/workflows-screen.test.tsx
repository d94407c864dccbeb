import { expect, test } from 'vitest'
import { click, countElements, getButton, getElement, render, type } from '#support/rendering/render.tsx'
import { staffScreenAt, stubStaffServer, tableCells, waitUntil } from '#support/rendering/render-staff-screen.tsx'
import { ConfirmHost } from '#ui/dialog/confirm-host.tsx'
import { toastLog } from '#ui/toast/toast.ts'
import { ToastHost } from '#ui/toast/toast-host.tsx'

const workflow = {
  ...{ id: 4, name: 'Spring', jobCount: 2, isArchived: false, version: 3 },
  steps: [
    { name: 'Book the hall', dueDays: -30 },
    { name: 'Publish the gallery', dueDays: 7 },
  ],
}
const pageOf = (...resultItems: object[]) => ({
  ...{ resultItems, currentPage: 1, pageSize: 50, totalRecords: resultItems.length },
})

let listFails = false
const failure = () => Response.json({ errors: ['We could not find this'], problem: 'not-found' }, { status: 404 })
stubStaffServer((path, method) => {
  if (method === 'DELETE') return failure()
  if (path === '/api/admin/workflows') return listFails ? failure() : pageOf(workflow)
  return path === '/api/admin/workflows/4' ? workflow : undefined
})

const renderAt = (address: string) =>
  render(
    <>
      {staffScreenAt(address)}
      <ConfirmHost />
      <ToastHost />
    </>,
  )

const hasToast = (text: string) => toastLog.current().some((toast) => toast.text.includes(text))
const field = (name: string) => getElement<HTMLInputElement>(`[name="${name}"]`)

test('workflows are listed with the number of their steps and jobs', async () => {
  renderAt('/admin/workflows')
  await waitUntil(() => expect(tableCells()).toEqual([['Spring', '2', '2', '']]))
})

test('a list that cannot be loaded says so', async () => {
  listFails = true
  renderAt('/admin/workflows')
  await waitUntil(() => expect(hasToast('Failed to fetch workflows')).toBe(true))
  listFails = false
})

test('a workflow that cannot be deleted is named by its id, with the reason', async () => {
  renderAt('/admin/workflows')
  await waitUntil(() => expect(countElements('button[aria-label="Actions for Spring"]')).toBe(1))
  click(getElement('button[aria-label="Actions for Spring"]'))
  await waitUntil(() => expect(countElements('[role="menuitem"]')).toBeGreaterThan(0))
  for (const item of document.querySelectorAll<HTMLElement>('[role="menuitem"]'))
    if (item.textContent === 'Remove') click(item)
  await waitUntil(() => expect(document.body.textContent).toContain('Remove “Spring”?'))
  for (const button of getElement('[role="alertdialog"]').querySelectorAll('button'))
    if (button.textContent?.trim() === 'Remove') click(button)
  await waitUntil(() => expect(hasToast('Failed to delete workflow with ID 4')).toBe(true))
  expect(hasToast('We could not find this')).toBe(true)
})

test('a step without a name and a due day that is no number are refused before anything is sent', async () => {
  renderAt('/admin/workflows/4')
  await waitUntil(() => expect(countElements('[name="steps.1.dueDays"]')).toBe(1))
  type(field('steps.0.name'), ' ')
  type(field('steps.1.dueDays'), 'a week')
  await waitUntil(() => expect(getButton('Save').disabled).toBe(false))
  click(getButton('Save'))
  await waitUntil(() => expect(document.body.textContent).toContain('Enter a whole number from -1000 to 1000'))
  expect(document.body.textContent).toContain('This field is required')
})
