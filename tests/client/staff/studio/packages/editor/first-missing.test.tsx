import { expect, test } from 'vitest'
import { click, getButton, getElement, render, type } from '#support/rendering/render.tsx'
import { staffScreenAt, stubStaffServer, waitUntil } from '#support/rendering/render-staff-screen.tsx'

const updatedAt = '2027-04-15T10:00:00.000Z'
const packageSet = {
  ...{ id: 8, name: 'School', description: '', isArchived: false, version: 1 },
  ...{ packageCount: 0, addOnCount: 0, jobCount: 0, updatedAt },
}
const packageDefaults = {
  taxClass: 'standard',
  allowConsumerCrop: true,
  offeredPrepay: true,
  offeredGallery: true,
  order: 'last',
}
stubStaffServer(
  (path) => {
    if (path.endsWith('/package-sets/8')) return packageSet
    if (path.endsWith('/package-sets')) return [packageSet]
    if (path.endsWith('/package-start')) return packageDefaults
    if (path.endsWith('/packages') || path.endsWith('/products')) return []
    return undefined
  },
  () => ['rspoJob'],
)

const selectedTab = () => document.querySelector('[role="tab"][aria-selected="true"]')?.textContent
const focusedElement = () => document.activeElement

test('saving an empty package marks the missing fields, opens the tab of the first one and focuses it', async () => {
  render(staffScreenAt('/admin/studios/3/pkg-set-mgmt/8/packages/new'))
  await waitUntil(() => expect(selectedTab()).toBe('Name and price'))
  click(getButton('Save'))
  await waitUntil(() => expect(focusedElement()?.getAttribute('aria-invalid')).toBe('true'))
  expect(focusedElement()?.id).toBe(
    [...document.querySelectorAll('label')].find(({ textContent }) => textContent?.startsWith('Name'))?.htmlFor,
  )
  expect(document.body.textContent).toContain('Please fix the fields marked below')
  type(getElement<HTMLInputElement>('input[aria-invalid="true"]'), 'Keepsake')
  click(getButton('Save'))
  await waitUntil(() => expect(selectedTab()).toContain('Contents'))
  await waitUntil(() => expect(focusedElement()?.hasAttribute('data-missing')).toBe(true))
})
