import { useId } from 'react'
import styles from '../crop/crop.module.css'

type SliderProps = {
  label: string
  min: number
  max: number
  step: number
  value: number
  /** The displayed value, also announced by screen readers. */
  shown: string
  valueText: string
  onValue: (value: number) => void
}

export const Slider = ({ label, min, max, step, value, shown, valueText, onValue }: SliderProps) => {
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
        {shown}
      </span>
    </div>
  )
}
