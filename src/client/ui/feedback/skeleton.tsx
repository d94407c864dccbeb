import type { CSSProperties } from 'react'
import { classNames } from '../class-names.ts'
import styles from './skeleton.module.css'

type SkeletonProps = {
  /** Lines of text, an image (portrait 4:5 unless `ratio` is set), or a plain block. */
  shape?: 'text' | 'photo' | 'block'
  lines?: number
  width?: string
  height?: string
  /** Width / height, for an image. */
  ratio?: number
}

/**
 * A placeholder for loading content. It reserves its space at once, so that nothing moves, and is visible after 200 ms.
 */
export const Skeleton = ({ shape = 'text', lines = 1, width, height, ratio }: SkeletonProps) => {
  const style: CSSProperties = { inlineSize: width, blockSize: height, aspectRatio: ratio }
  if (shape !== 'text')
    return <div aria-hidden="true" className={classNames(styles.placeholder, styles[shape])} style={style} />
  return (
    <div aria-hidden="true" className={styles.lines} style={{ inlineSize: width }}>
      {Array.from({ length: lines }, (_, line) => `line ${line}`).map((line) => (
        <div key={line} className={classNames(styles.placeholder, styles.text)} />
      ))}
    </div>
  )
}
