import { expect, test, vi } from 'vitest'
import { SubjectLoadError } from '#client/customer/packages/subject-states.tsx'
import { unreachable } from '#local/transport/request.ts'
import { click, getButton, getElement, render } from '#support/rendering/render.tsx'

const route = { studioSlug: 'riverside', jobId: 1 }
const no = (status: number, problem?: string) => ({ ok: false as const, status, errors: ['It broke'], problem })

test('a subject never opened here needs a connection, and the message says what works offline', () => {
  const again = vi.fn()
  render(<SubjectLoadError route={route} problem={unreachable} retry={again} />)
  expect(getElement('h1').textContent).toBe('These pictures are not on this phone yet')
  expect(document.body.textContent).toContain('Opening somebody for the first time needs a connection.')
  expect(document.body.textContent).toContain('you can go on with those you opened before')
  click(getButton('Try again'))
  expect(again).toHaveBeenCalledOnce()
})

test.each([no(403, 'grant-needed'), no(404)])(
  'a subject without confirmed access has to be searched first: %o',
  (problem) => {
    render(<SubjectLoadError route={route} problem={problem} retry={vi.fn()} />)
    expect(getElement('h1').textContent).toBe('Say who you are ordering for first')
    expect(getElement('a').getAttribute('href')).toBe('/riverside/1/search')
  },
)

test('any other error is described, and says that nothing is lost', () => {
  render(<SubjectLoadError route={route} problem={no(500)} retry={vi.fn()} />)
  expect(document.body.textContent).toContain('It broke. Anything you chose is kept on this phone.')
})
