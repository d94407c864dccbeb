import X from 'lucide-react/icons/x'
import { beforeAll, expect, test } from 'vitest'
import { fire, getElement, render } from '#support/rendering/render.tsx'
import { staffScreenAt, stubStaffServer, waitUntil } from '#support/rendering/render-staff-screen.tsx'
import { IconButton } from '#ui/button/button.tsx'

const jobs = {
  resultItems: [
    {
      ...{ id: 12, name: 'Spring', organizationId: null, organizationName: null, eventDate: null, code: 'SPRING' },
      ...{ state: 'open', prepay: false, gallery: true, subjects: 0, withImages: 0, orders: 0, organizationType: null },
      createdAt: '2027-04-01T10:00:00.000Z',
    },
  ],
  ...{ currentPage: 1, pageSize: 50, totalRecords: 51 },
}
stubStaffServer((path) => (path.endsWith('/studios/3/jobs') ? jobs : undefined))

beforeAll(() => import('#client/staff/studio/jobs/jobs-screen.tsx'), 30_000)

/** Buttons with an icon and without text. */
const findIconOnlyControls = () =>
  [...document.querySelectorAll<HTMLElement>('button, a')].filter(
    (control) => control.querySelector('svg') && control.textContent === '' && !control.matches(':disabled'),
  )

const getTooltipText = () => document.querySelector('[role="tooltip"]')?.textContent

test('icon-only controls on staff screens have a tooltip', async () => {
  render(staffScreenAt('/admin/studios/3/jobs'))
  await waitUntil(() =>
    expect(findIconOnlyControls().map((control) => control.getAttribute('aria-label'))).toContain('Next page'),
  )
  const controls = findIconOnlyControls()
  expect(controls.length).toBeGreaterThan(1)
  for (const control of controls) {
    const pointerOver = new PointerEvent('pointerover', { bubbles: true, pointerType: 'mouse' })
    fire(control, pointerOver)
    await waitUntil(() => expect(getTooltipText()).toBe(control.getAttribute('aria-label')))
    // Screen readers read the name already, so the tooltip must not repeat it.
    expect(control.hasAttribute('aria-describedby')).toBe(false)
    fire(control, new PointerEvent('pointerout', { bubbles: true, pointerType: 'mouse', relatedTarget: document.body }))
    await waitUntil(() => expect(getTooltipText()).toBeUndefined())
  }
})

test('icon-only controls on other screens have no tooltip and do not load its code', () => {
  const { box } = render(<IconButton icon={X} label="Close" />)
  expect(getElement('button').parentElement).toBe(box)
})
