import { useEffect, useState } from 'react'
import styles from './loader.module.css'

export const loaderSizes = ['1x', '2x', '3x', '4x', '5x'] as const

export type LoaderSize = (typeof loaderSizes)[number]

/** The default size of a loader: five times the text size (section 9). */
export const defaultLoaderSize: LoaderSize = '5x'

/** Delay in milliseconds before a loader is shown. */
export const loaderDelayMs = 200

type LoaderProps = { size?: LoaderSize; label?: string }

/** A loading indicator that appears after `loaderDelayMs` and is announced by screen readers. */
export const Loader = ({ size = defaultLoaderSize, label = 'Loading' }: LoaderProps) => {
  const isVisible = useDelayedTrue(loaderDelayMs)
  return (
    <div role="status" className={styles.loader} data-size={size}>
      {isVisible && (
        <>
          <Spinner />
          <span className={styles.label}>{label}…</span>
        </>
      )}
    </div>
  )
}

/** A rotating ring, one em wide. Hidden from screen readers: its container announces what is loading. */
export const Spinner = () => <span className={styles.ring} aria-hidden="true" data-spinner="" />

/** False at first, true after `ms` milliseconds, so that fast loads show no loading indicator. */
export const useDelayedTrue = (ms: number): boolean => {
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return isLate
}
