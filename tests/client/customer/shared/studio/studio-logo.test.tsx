import { expect, test } from 'vitest'
import { LayoutHeader } from '#client/app/customer-layout/layout-header.tsx'
import { StudioScreen } from '#client/customer/discovery/studio/studio-screen.tsx'
import { LandingContext } from '#platform/landing.ts'
import { getElement, render } from '#support/rendering/render.tsx'
import { springJobContext } from '#tests/client/job-context-examples.ts'

const { studio, availability, job, preferences } = springJobContext()
const route = { studioSlug: 'riverside', jobId: 1 }
const logo = '/api/customer/studios/riverside/logo/abc'
type LogoFields = Pick<typeof studio, 'logo' | 'logoShape'>

const jobData = {
  ...{ availability, job, preferences, problem: undefined, studioProblem: undefined, jobDataProblem: undefined },
  ...{ code: 'stored' as const, loading: false, refetch: () => undefined },
}

const header = (logoFields: LogoFields) => (
  <LayoutHeader route={route} jobData={{ ...jobData, studio: { ...studio, ...logoFields } }} />
)
const page = (logoFields: LogoFields) => (
  <LandingContext value={{ studio: { ...studio, ...logoFields }, ownHost: false }}>
    <StudioScreen studioSlug="riverside" orderSearch={null} finder={null} />
  </LandingContext>
)

/** How often the studio's name is announced at the top of a screen: as text, and by its logo. */
const countNames = () => {
  const head = getElement('header')
  const imageAlts = [...head.querySelectorAll('img')].map((image) => image.alt)
  const hiddenTexts = [...head.querySelectorAll('[aria-hidden="true"]')].map((part) => part.textContent ?? '')
  const visibleText = hiddenTexts.reduce((text, part) => text.replace(part, ''), head.textContent ?? '')
  return {
    written: visibleText.split(studio.name).length - 1,
    pictured: imageAlts.filter((alt) => alt === studio.name).length,
  }
}

const logoCases: [string, LogoFields, ReturnType<typeof countNames>][] = [
  ['no logo', { logo: null, logoShape: null }, { written: 1, pictured: 0 }],
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
  ['a logo of unknown size', { logo, logoShape: null }, { written: 1, pictured: 0 }],
]

test.each(logoCases)('the header of a studio with %s announces its name once', (_, logoFields, expected) => {
  render(header(logoFields))
  expect(countNames()).toEqual(expected)
  expect(getElement('header a').textContent).toContain('Spring Portraits 2027')
})

test.each(logoCases)('the page of a studio with %s announces its name once', (_, logoFields, expected) => {
  render(page(logoFields))
  expect(countNames()).toEqual(expected)
})

test('a logo has reserved space before it loads', () => {
  render(page({ logo, logoShape: { width: 312, height: 104, wordmark: true } }))
  const image = getElement('header img')
  expect([image.getAttribute('width'), image.getAttribute('height')]).toEqual(['312', '104'])
  expect(image.style.getPropertyValue('--shape')).toBe('312 / 104')
})

test('the header shows nothing of a job that belongs to another studio than the URL’s', () => {
  const unknownStudioRoute = { ...route, studioSlug: 'nostudio' }
  const { rerender } = render(<LayoutHeader route={unknownStudioRoute} jobData={{ ...jobData, studio: undefined }} />)
  expect(getElement('header').textContent).not.toMatch(/Riverside|Spring/)
  const summit = { ...studio, slug: 'summit', name: 'Summit Sports Photo' }
  rerender(<LayoutHeader route={{ ...route, studioSlug: 'summit' }} jobData={{ ...jobData, studio: summit }} />)
  expect(getElement('header').textContent).toContain('Summit Sports Photo')
  expect(getElement('header').textContent).not.toMatch(/Riverside|Spring/)
})
