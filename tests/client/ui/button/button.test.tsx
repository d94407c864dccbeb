import Camera from 'lucide-react/icons/camera'
import { expect, test, vi } from 'vitest'
import { click, countElements, getButton, getElement, render } from '#support/rendering/render.tsx'
import { Button, ButtonLink, defaultIconSide } from '#ui/button/button.tsx'

test('a button has its icon on the left by default', () => {
  expect(defaultIconSide).toBe('left')
  const { again } = render(<Button icon={Camera}>Upload</Button>)
  expect(getElement('button').firstElementChild?.querySelector('svg')).not.toBeNull()
  again(
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

test('without an icon the text stays and keeps the width', () => {
  render(<Button loading>Search</Button>)
  expect(getButton('Search').querySelector('[data-spinner]')).not.toBeNull()
})

test('a click on a loading button does nothing, including submitting', () => {
  const tapped = vi.fn()
  const submitted = vi.fn((event: { preventDefault: () => void }) => event.preventDefault())
  const draw = (loading: boolean) => (
    <form onSubmit={submitted}>
      <Button type="submit" loading={loading} onClick={tapped}>
        Search
      </Button>
    </form>
  )
  const { again } = render(draw(true))
  click(getButton('Search'))
  expect(tapped).not.toHaveBeenCalled()
  expect(submitted).not.toHaveBeenCalled()
  expect(getElement('button').ariaBusy ?? getElement('button').getAttribute('aria-busy')).toBe('true')
  again(draw(false))
  click(getButton('Search'))
  expect(tapped).toHaveBeenCalledOnce()
  expect(submitted).toHaveBeenCalledOnce()
})

test('an internal link navigates in the page, an external one is left to the browser', () => {
  render(
    <>
      <ButtonLink href="/riverside">Find your photos</ButtonLink>
      <ButtonLink href="mailto:hello@riverside.test">Write to us</ButtonLink>
    </>,
  )
  const [ours, away] = document.querySelectorAll('a')
  click(ours as HTMLElement)
  expect(location.pathname).toBe('/riverside')
  expect(away?.getAttribute('href')).toBe('mailto:hello@riverside.test')
})
