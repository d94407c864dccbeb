import { expect, test } from 'vitest'
import { render } from '#support/rendering/render.tsx'
import { staffScreenAt, stubStaffServer, studioResponse, waitUntil } from '#support/rendering/render-staff-screen.tsx'

let features: string[] = []
stubStaffServer(
  (path) => (path.endsWith('/studios/3') ? { ...studioResponse(3), isMillersVerified: false } : undefined),
  () => features,
)

const navigationItems = () =>
  [...document.querySelectorAll('nav[aria-label="Studio"] li a')].map((link) => link.textContent)

test('a studio that waits for its verification sees only its profile with a notice (section 2, guards)', async () => {
  features = ['studioVerification', 'rspoJob']
  const { box } = render(staffScreenAt('/admin/studios/3/profile'))
  await waitUntil(() =>
    expect(box.textContent).toContain('Everything except this profile opens once your studio is verified.'),
  )
  expect(navigationItems()).toEqual(['Profile', 'Account', 'Sign out'])
})

test('an unverified studio without the verification feature sees all screens and the purpose of a verification', async () => {
  features = ['rspoJob']
  const { box } = render(staffScreenAt('/admin/studios/3/profile'))
  await waitUntil(() =>
    expect(box.textContent).toContain('Galleries and green screens are for studios that are customers'),
  )
  expect(navigationItems()).toEqual(expect.arrayContaining(['Home', 'Jobs', 'Galleries', 'Profile']))
})
