import { expect, test, vi } from 'vitest'
import { SubjectLoadError } from '#client/customer/packages/subject-states.tsx'
import { unreachable } from '#local/transport/request.ts'
import { click, getButton, getElement, render } from '#support/rendering/render.tsx'

const route = { studioSlug: 'riverside', jobId: 1 }
const failure = (status: number, problem?: string) => ({ ok: false as const, status, errors: ['It broke'], problem })

test('a subject never opened here needs a connection, and the message shows what works offline', () => {
  const retry = vi.fn()
  render(<SubjectLoadError route={route} problem={unreachable} retry={retry} />)
  expect(getElement('h1').textContent).toBe('These photos aren’t on this phone yet')
  expect(document.body.textContent).toContain('Opening a child for the first time needs a connection.')
  expect(document.body.textContent).toContain('children you opened before still work')
  click(getButton('Try again'))
  expect(retry).toHaveBeenCalledOnce()
})

test.each([failure(403, 'grant-needed'), failure(404)])(
  'a subject without confirmed access has to be searched first: %o',
  (problem) => {
    render(<SubjectLoadError route={route} problem={problem} retry={vi.fn()} />)
    expect(getElement('h1').textContent).toBe('Choose who you’re ordering for first')
    expect(getElement('a').getAttribute('href')).toBe('/riverside/1/search')
  },
)

test('any other error is described, with a note that nothing is lost', () => {
  render(<SubjectLoadError route={route} problem={failure(500)} retry={vi.fn()} />)
  expect(document.body.textContent).toContain('It broke. Anything you chose is saved on this phone.')
})
