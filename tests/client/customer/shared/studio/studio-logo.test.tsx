import { expect, test } from 'vitest'
import { LayoutHeader } from '#client/app/customer-layout/layout-header.tsx'
import { StudioScreen } from '#client/customer/discovery/studio/studio-screen.tsx'
import { LandingContext } from '#platform/landing.ts'
import { getElement, render } from '#support/rendering/render.tsx'
import { springJobContext } from '../../../job-context-examples.ts'

const { studio, availability, job, preferences } = springJobContext()
const route = { studioSlug: 'riverside', jobId: 1 }
const logo = '/api/customer/studios/riverside/logo/abc'
type Face = Pick<typeof studio, 'logo' | 'logoShape'>

const facts = {
  ...{ availability, job, preferences, problem: undefined, studioProblem: undefined, factsProblem: undefined },
  ...{ code: 'kept' as const, loading: false, refetch: () => undefined },
}

const header = (face: Face) => <LayoutHeader route={route} jobData={{ ...facts, studio: { ...studio, ...face } }} />
const page = (face: Face) => (
  <LandingContext value={{ studio: { ...studio, ...face }, ownHost: false }}>
    <StudioScreen studioSlug="riverside" orderSearch={null} />
  </LandingContext>
)

/** The studio's name as announced at the top of a screen: as text, or by its logo. */
const said = () => {
  const head = getElement('header')
  const pictures = [...head.querySelectorAll('img')].map((picture) => picture.alt)
  const silent = [...head.querySelectorAll('[aria-hidden="true"]')].map((part) => part.textContent ?? '')
  const written = silent.reduce((text, part) => text.replace(part, ''), head.textContent ?? '')
  return {
    written: written.split(studio.name).length - 1,
    pictured: pictures.filter((alt) => alt === studio.name).length,
  }
}

const faces: [string, Face, ReturnType<typeof said>][] = [
  ['no logo', { logo: null }, { written: 1, pictured: 0 }],
  [
    'a logo without its name',
    { logo, logoShape: { width: 104, height: 104, wordmark: false } },
    { written: 1, pictured: 0 },
  ],
  [
    'a logo with its name',
    { logo, logoShape: { width: 312, height: 104, wordmark: true } },
    { written: 0, pictured: 1 },
  ],
  ['a logo of unknown size', { logo }, { written: 1, pictured: 0 }],
]

test.each(faces)('the header of a studio with %s says its name once', (_, face, once) => {
  render(header(face))
  expect(said()).toEqual(once)
  expect(getElement('header a').textContent).toContain('Spring Portraits 2027')
})

test.each(faces)('the page of a studio with %s says its name once', (_, face, once) => {
  render(page(face))
  expect(said()).toEqual(once)
})

test('a logo has reserved space before it loads', () => {
  render(page({ logo, logoShape: { width: 312, height: 104, wordmark: true } }))
  const picture = getElement('header img')
  expect([picture.getAttribute('width'), picture.getAttribute('height')]).toEqual(['312', '104'])
  expect(picture.style.getPropertyValue('--shape')).toBe('312 / 104')
})

test('the header shows nothing of a job that belongs to another studio than the URL’s', () => {
  const nobodys = { ...route, studioSlug: 'nostudio' }
  const { again } = render(<LayoutHeader route={nobodys} jobData={{ ...facts, studio: undefined }} />)
  expect(getElement('header').textContent).not.toMatch(/Riverside|Spring/)
  const summit = { ...studio, slug: 'summit', name: 'Summit Sports Photo' }
  again(<LayoutHeader route={{ ...route, studioSlug: 'summit' }} jobData={{ ...facts, studio: summit }} />)
  expect(getElement('header').textContent).toContain('Summit Sports Photo')
  expect(getElement('header').textContent).not.toMatch(/Riverside|Spring/)
})
