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
  const onValue = vi.fn()
  render(<Checkbox label="I agree" errors={['One', 'Two']} onValue={onValue} />)
  const box = getElement<HTMLInputElement>('input')
  click(getElement('label'))
  expect(onValue).toHaveBeenCalledExactlyOnceWith(true)
  expect(box.getAttribute('aria-invalid')).toBe('true')
  expect(document.getElementById(box.getAttribute('aria-describedby') ?? '')?.textContent).toBe('One, Two')
})

test('a radio group reports the value of the clicked option', () => {
  const onValue = vi.fn()
  const options = [
    { value: 'studio', label: 'Studio Shipping' },
    { value: 'home', label: 'To your home' },
  ] as const
  render(<RadioGroup legend="Shipping" options={options} value="studio" onValue={onValue} />)
  expect(getElement<HTMLInputElement>('[value="studio"]').checked).toBe(true)
  click(getElement('[value="home"]'))
  expect(onValue).toHaveBeenCalledExactlyOnceWith('home')
})

test('a select starts with its placeholder, which cannot be selected', () => {
  const onValue = vi.fn()
  render(<Select placeholder="Choose a grade" options={[{ value: '1', label: 'First' }]} onValue={onValue} />)
  const select = getElement<HTMLSelectElement>('select')
  expect(select.value).toBe('')
  expect(getElement<HTMLOptionElement>('option').disabled).toBe(true)
  select.value = '1'
  fire(select, new Event('change', { bubbles: true }))
  expect(onValue).toHaveBeenCalledExactlyOnceWith('1')
})

const CountedStepper = ({ max, onRemove }: { max: number; onRemove: () => void }) => {
  const [value, setValue] = useState(1)
  const step = async (offset: number) => setValue((current) => current + offset)
  return <QuantityStepper label="Wallets" value={value} onStep={step} onRemove={onRemove} max={max} />
}

test('stepping below one removes the item, and the maximum disables the plus button', async () => {
  const onRemove = vi.fn()
  render(<CountedStepper max={2} onRemove={onRemove} />)
  await act(async () => click(getButton('One more Wallets')))
  expect(getElement('output').textContent).toBe('2')
  expect(getButton('One more Wallets').disabled).toBe(true)
  await act(async () => click(getButton('One fewer Wallets')))
  expect(onRemove).not.toHaveBeenCalled()
  click(getButton('Remove Wallets'))
  expect(onRemove).toHaveBeenCalledOnce()
})

test('a tap steps from the stored quantity; the number is shown as unsaved until all taps are stored', async () => {
  const steps: { offset: number; finish: (failure?: Error) => void }[] = []
  const onStep = (offset: 1 | -1) =>
    new Promise<void>((resolve, reject) =>
      steps.push({ offset, finish: (failure) => (failure ? reject(failure) : resolve()) }),
    )
  const createStepper = (value: number) => (
    <QuantityStepper label="Wallets" value={value} onStep={onStep} onRemove={() => {}} />
  )
  const { rerender } = render(createStepper(1))
  const readStepper = () => [getElement('output').textContent, getElement('fieldset').getAttribute('aria-busy')]
  const increase = () => click(getButton('One more Wallets'))
  const endStep = (index: number) => act(async () => steps[index]?.finish())
  increase()
  increase()
  expect([readStepper(), steps.map(({ offset }) => offset)]).toEqual([
    ['3', 'true'],
    [1, 1],
  ])
  rerender(createStepper(2)) // the result of the first tap arrives while the second tap is pending
  await endStep(0)
  expect(readStepper()).toEqual(['3', 'true'])
  rerender(createStepper(13)) // another tab has added ten meanwhile
  expect(readStepper()).toEqual(['3', 'true'])
  await endStep(1)
  expect(readStepper()).toEqual(['13', 'false'])
  click(getButton('One fewer Wallets'))
  expect([readStepper(), steps[2]?.offset]).toEqual([['12', 'true'], -1])
  await endStep(2) // the step was rejected, so the stored quantity did not change
  expect(readStepper()).toEqual(['13', 'false'])
})

const OrderTabs = () => {
  const [tab, setTab] = useState('prepay')
  const tabs = ['prepay', 'batch', 'submitted'].map((id) => ({ id, label: id }))
  return (
    <Tabs label="Orders" tabs={tabs} selected={tab} onSelect={setTab}>
      panel of {tab}
    </Tabs>
  )
}

test('tabs are navigated by arrow keys, Home and End, and label their panel', () => {
  render(<OrderTabs />)
  const selected = () => getElement('[aria-selected="true"]')
  selected().focus()
  const panels = ['ArrowRight', 'ArrowLeft', 'ArrowLeft', 'ArrowRight', 'End', 'Home'].map((key) => {
    press(key)
    expect(document.activeElement).toBe(selected())
    expect(getElement('[role="tabpanel"]').getAttribute('aria-labelledby')).toBe(selected().id)
    return getElement('[role="tabpanel"]').textContent
  })
  expect(panels.map((text) => text?.slice(9))).toEqual([
    'batch',
    'prepay',
    'submitted',
    'prepay',
    'submitted',
    'prepay',
  ])
})
