import { act, useState } from 'react'
import { expect, test, vi } from 'vitest'
import { click, fire, getButton, getElement, press, render } from '#support/rendering/render.tsx'
import { Checkbox } from '#ui/form/checkbox.tsx'
import { QuantityStepper } from '#ui/form/quantity-stepper.tsx'
import { RadioGroup } from '#ui/form/radio-group.tsx'
import { Select } from '#ui/form/select.tsx'
import { Tabs } from '#ui/navigation/tabs.tsx'
import { Price } from '#ui/price.tsx'

test.each([
  [123450, '$1,234.50'],
  [0, '$0.00'],
  [5, '$0.05'],
])('%i cents are %s, in tabular figures', (cents, text) => {
  render(<Price cents={cents} />)
  expect(getElement('.tabular').textContent).toBe(text)
})

test('a checkbox exposes its state and its error', () => {
  const heard = vi.fn()
  render(<Checkbox label="I agree" errors={['One', 'Two']} onValue={heard} />)
  const box = getElement<HTMLInputElement>('input')
  click(getElement('label'))
  expect(heard).toHaveBeenCalledExactlyOnceWith(true)
  expect(box.getAttribute('aria-invalid')).toBe('true')
  expect(document.getElementById(box.getAttribute('aria-describedby') ?? '')?.textContent).toBe('One, Two')
})

test('a radio group reports the value of the tapped line', () => {
  const heard = vi.fn()
  const options = [
    { value: 'studio', label: 'Studio Shipping' },
    { value: 'home', label: 'To your home' },
  ] as const
  render(<RadioGroup legend="Shipping" options={options} value="studio" onValue={heard} />)
  expect(getElement<HTMLInputElement>('[value="studio"]').checked).toBe(true)
  click(getElement('[value="home"]'))
  expect(heard).toHaveBeenCalledExactlyOnceWith('home')
})

test('a select starts with its placeholder, which cannot be selected', () => {
  const heard = vi.fn()
  render(<Select placeholder="Choose a grade" options={[{ value: '1', label: 'First' }]} onValue={heard} />)
  const select = getElement<HTMLSelectElement>('select')
  expect(select.value).toBe('')
  expect(getElement<HTMLOptionElement>('option').disabled).toBe(true)
  select.value = '1'
  fire(select, new Event('change', { bubbles: true }))
  expect(heard).toHaveBeenCalledExactlyOnceWith('1')
})

const Counted = ({ max, onRemove }: { max: number; onRemove: () => void }) => {
  const [value, setValue] = useState(1)
  const step = async (by: number) => setValue((before) => before + by)
  return <QuantityStepper label="Wallets" value={value} onStep={step} onRemove={onRemove} max={max} />
}

test('stepping below one removes, and the maximum disables the plus button', async () => {
  const removed = vi.fn()
  render(<Counted max={2} onRemove={removed} />)
  await act(async () => click(getButton('One more Wallets')))
  expect(getElement('output').textContent).toBe('2')
  expect(getButton('One more Wallets').disabled).toBe(true)
  await act(async () => click(getButton('One fewer Wallets')))
  expect(removed).not.toHaveBeenCalled()
  click(getButton('Remove Wallets'))
  expect(removed).toHaveBeenCalledOnce()
})

test('a tap steps from the stored quantity; its number is shown as unsaved until all taps are stored', async () => {
  const steps: { by: number; end: (failure?: Error) => void }[] = []
  const onStep = (by: 1 | -1) =>
    new Promise<void>((resolve, reject) =>
      steps.push({ by, end: (failure) => (failure ? reject(failure) : resolve()) }),
    )
  const stored = (value: number) => (
    <QuantityStepper label="Wallets" value={value} onStep={onStep} onRemove={() => {}} />
  )
  const { again } = render(stored(1))
  const shown = () => [getElement('output').textContent, getElement('fieldset').getAttribute('aria-busy')]
  const more = () => click(getButton('One more Wallets'))
  const end = (at: number) => act(async () => steps[at]?.end())
  more()
  more()
  expect([shown(), steps.map(({ by }) => by)]).toEqual([
    ['3', 'true'],
    [1, 1],
  ])
  again(stored(2)) // the first tap's result arrives while the second is pending
  await end(0)
  expect(shown()).toEqual(['3', 'true'])
  again(stored(13)) // another tab had added ten
  expect(shown()).toEqual(['3', 'true'])
  await end(1)
  expect(shown()).toEqual(['13', 'false'])
  click(getButton('One fewer Wallets'))
  expect([shown(), steps[2]?.by]).toEqual([['12', 'true'], -1])
  await end(2) // it was rejected, and nothing followed
  expect(shown()).toEqual(['13', 'false'])
})

const Tabbed = () => {
  const [tab, setTab] = useState('prepay')
  const tabs = ['prepay', 'batch', 'submitted'].map((id) => ({ id, label: id }))
  return (
    <Tabs label="Orders" tabs={tabs} selected={tab} onSelect={setTab}>
      panel of {tab}
    </Tabs>
  )
}

test('tabs are navigated by arrow keys, Home and End, and label their panel', () => {
  render(<Tabbed />)
  const selected = () => getElement('[aria-selected="true"]')
  selected().focus()
  const went = ['ArrowRight', 'ArrowLeft', 'ArrowLeft', 'ArrowRight', 'End', 'Home'].map((key) => {
    press(key)
    expect(document.activeElement).toBe(selected())
    expect(getElement('[role="tabpanel"]').getAttribute('aria-labelledby')).toBe(selected().id)
    return getElement('[role="tabpanel"]').textContent
  })
  expect(went.map((text) => text?.slice(9))).toEqual(['batch', 'prepay', 'submitted', 'prepay', 'submitted', 'prepay'])
})
