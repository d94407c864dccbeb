import Camera from 'lucide-react/icons/camera'
import { expect, test, vi } from 'vitest'
import { click, countElements, getButton, getElement, render } from '#support/rendering/render.tsx'
import { Button, ButtonLink, defaultIconSide } from '#ui/button/button.tsx'

test('a button has its icon on the left by default', () => {
  expect(defaultIconSide).toBe('left')
  const { rerender } = render(<Button icon={Camera}>Upload</Button>)
  expect(getElement('button').firstElementChild?.querySelector('svg')).not.toBeNull()
  rerender(
    <Button icon={Camera} iconSide="right">
      Upload
    </Button>,
  )
  expect(getElement('button').lastElementChild?.querySelector('svg')).not.toBeNull()
})

test('while loading, the spinner replaces the icon', () => {
  render(
    <Button icon={Camera} loading>
      Upload
    </Button>,
  )
  expect(countElements('svg')).toBe(0)
  expect(getElement('button').firstElementChild?.querySelector('[data-spinner]')).not.toBeNull()
})

test('a loading button without an icon still shows its text', () => {
  render(<Button loading>Search</Button>)
  expect(getButton('Search').querySelector('[data-spinner]')).not.toBeNull()
})

test('a click on a loading button does nothing, including submitting', () => {
  const onClick = vi.fn()
  const onSubmit = vi.fn((event: { preventDefault: () => void }) => event.preventDefault())
  const createForm = (loading: boolean) => (
    <form onSubmit={onSubmit}>
      <Button type="submit" loading={loading} onClick={onClick}>
        Search
      </Button>
    </form>
  )
  const { rerender } = render(createForm(true))
  click(getButton('Search'))
  expect(onClick).not.toHaveBeenCalled()
  expect(onSubmit).not.toHaveBeenCalled()
  expect(getElement('button').ariaBusy ?? getElement('button').getAttribute('aria-busy')).toBe('true')
  rerender(createForm(false))
  click(getButton('Search'))
  expect(onClick).toHaveBeenCalledOnce()
  expect(onSubmit).toHaveBeenCalledOnce()
})

test('an internal link navigates in the page, an external one is left to the browser', () => {
  render(
    <>
      <ButtonLink href="/riverside">Find your photos</ButtonLink>
      <ButtonLink href="mailto:hello@riverside.test">Write to us</ButtonLink>
    </>,
  )
  const [internalLink, externalLink] = document.querySelectorAll('a')
  click(internalLink as HTMLElement)
  expect(location.pathname).toBe('/riverside')
  expect(externalLink?.getAttribute('href')).toBe('mailto:hello@riverside.test')
})
