import { classNames } from '../ui/class-names.ts'
import styles from './studio-mark.module.css'

type StudioMarkProps = { name: string; logo: string | null; large?: boolean }

/** A studio's face: its logo, or the first letter of its name where it has none. The name stands beside it, so this is silent. */
export const StudioMark = ({ name, logo, large }: StudioMarkProps) => (
  <span className={classNames(styles.mark, large && styles.large)} aria-hidden="true">
    {logo ? <img src={logo} alt="" /> : name.slice(0, 1)}
  </span>
)
