import Minus from 'lucide-react/icons/minus'
import Plus from 'lucide-react/icons/plus'
import Trash from 'lucide-react/icons/trash'
import { useLayoutEffect, useRef, useState } from 'react'
import { IconButton } from './button.tsx'
import styles from './quantity-stepper.module.css'

type QuantityStepperProps = {
  /** What is counted ("Portrait Package"), for screen readers. */
  label: string
  value: number
  /** Answers whether it was done; the new number is shown at once. */
  onValue: (value: number) => Promise<boolean>
  /** With 0, the step below 1 removes the item (section 4) and looks like it. */
  min?: number
  max?: number
  disabled?: boolean
}

type Asked = { value: number; doneAt: number | null }

/**
 * The number asked for, from the tap on, until the one that is told has followed; where it was not done, the one that is told. A
 * second tap goes on from the first, however long that takes.
 */
const useAsked = (told: number, onValue: QuantityStepperProps['onValue']) => {
  const [asked, setAsked] = useState<Asked | null>(null)
  const newest = useRef(told)
  useLayoutEffect(() => {
    newest.current = told
  })
  const hasFollowed = asked !== null && asked.doneAt !== null && (told === asked.value || told !== asked.doneAt)
  if (hasFollowed) setAsked(null)
  const ask = async (value: number) => {
    const mine: Asked = { value, doneAt: null }
    setAsked(mine)
    const done = await onValue(value)
    setAsked((now) => (now !== mine ? now : done ? { value, doneAt: newest.current } : null))
  }
  return [asked === null || hasFollowed ? told : asked.value, (value: number) => void ask(value)] as const
}

/** How many: one fewer, the number, one more. */
export const QuantityStepper = (props: QuantityStepperProps) => {
  const { label, value: told, onValue, min = 0, max = 99, disabled = false } = props
  const [value, ask] = useAsked(told, onValue)
  const removes = value === 1 && min === 0
  return (
    <fieldset className={styles.stepper}>
      <legend className={styles.legend}>Quantity of {label}</legend>
      <IconButton
        icon={removes ? Trash : Minus}
        label={removes ? `Remove ${label}` : `One fewer ${label}`}
        disabled={disabled || value <= min}
        onClick={() => ask(value - 1)}
      />
      <output className={`tabular ${styles.value}`} aria-live="polite">
        {value}
      </output>
      <IconButton
        icon={Plus}
        label={`One more ${label}`}
        disabled={disabled || value >= max}
        onClick={() => ask(value + 1)}
      />
    </fieldset>
  )
}
