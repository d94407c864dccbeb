import styles from './package-name.module.css'

/** A package's name ("Package C · Grandparents"): where it has to break it breaks at its dot, which is not drawn then. */
export const PackageName = ({ children }: { children: string }) => (
  <span className={styles.name}>
    {children.split(' · ').map((part, place, parts) => (
      <span key={parts.slice(0, place).join()} className={styles.part}>
        {place > 0 && <span className={styles.dot}> · </span>}
        {part}
      </span>
    ))}
  </span>
)
