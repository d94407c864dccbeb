import { useId } from 'react'
import styles from '../crop/crop.module.css'

type SliderProps = {
  label: string
  min: number
  max: number
  step: number
  value: number
  /** The formatted value next to the slider, hidden from screen readers. */
  displayedValue: string
  /** The value as screen readers announce it. */
  valueText: string
  onValue: (value: number) => void
}

/** A labelled range input that shows its formatted value. */
export const Slider = ({ label, min, max, step, value, displayedValue, valueText, onValue }: SliderProps) => {
  const id = useId()
  return (
    <div className={styles.slider}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="range"
        {...{ min, max, step, value }}
        aria-valuetext={valueText}
        onChange={(event) => onValue(event.currentTarget.valueAsNumber)}
      />
      <span className="tabular" aria-hidden="true">
        {displayedValue}
      </span>
    </div>
  )
}
