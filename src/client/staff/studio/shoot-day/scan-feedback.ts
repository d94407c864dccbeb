let audio: AudioContext | undefined

const tone = (hertz: number, { at, seconds }: { at: number; seconds: number }) => {
  if (!audio) return
  const [sound, volume] = [audio.createOscillator(), audio.createGain()]
  sound.frequency.value = hertz
  volume.gain.value = 0.15
  sound.connect(volume).connect(audio.destination)
  sound.start(audio.currentTime + at)
  sound.stop(audio.currentTime + at + seconds)
}

/** Enables sound. Browsers allow it only after a tap. */
export const enableSound = (): void => {
  if (!('AudioContext' in globalThis)) return
  audio ??= new AudioContext()
  void audio.resume().catch(() => undefined)
}

/** Two rising notes and a short vibration: success. */
export const signalSuccess = (): void => {
  tone(660, { at: 0, seconds: 0.08 })
  tone(990, { at: 0.09, seconds: 0.12 })
  navigator.vibrate?.(60)
}

/** One low note and two vibrations: look at the screen. */
export const signalAttention = (): void => {
  tone(220, { at: 0, seconds: 0.3 })
  navigator.vibrate?.([80, 60, 80])
}
