import { ignoring } from '#domain/shared/ignoring.ts'

let audio: AudioContext | undefined

const playTone = (hertz: number, { delaySeconds, seconds }: { delaySeconds: number; seconds: number }) => {
  if (!audio) return
  const [oscillator, volume] = [audio.createOscillator(), audio.createGain()]
  oscillator.frequency.value = hertz
  volume.gain.value = 0.15
  oscillator.connect(volume).connect(audio.destination)
  oscillator.start(audio.currentTime + delaySeconds)
  oscillator.stop(audio.currentTime + delaySeconds + seconds)
}

/** Enables sound. Browsers allow this only in response to a tap or key press. */
export const enableSound = (): void => {
  if (!('AudioContext' in globalThis)) return
  const context = audio ?? new AudioContext()
  audio = context
  void ignoring('without sound the screen and the vibration report the scan', () => context.resume())
}

/** Signals success: two rising notes and a short vibration. */
export const signalSuccess = (): void => {
  playTone(660, { delaySeconds: 0, seconds: 0.08 })
  playTone(990, { delaySeconds: 0.09, seconds: 0.12 })
  navigator.vibrate?.(60)
}

/** Signals that the user has to look at the screen: one low note and two vibrations. */
export const signalAttention = (): void => {
  playTone(220, { delaySeconds: 0, seconds: 0.3 })
  navigator.vibrate?.([80, 60, 80])
}
