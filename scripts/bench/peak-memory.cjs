// Preloaded into a process: leaves behind the most memory that it ever had, in bytes.
const { readFileSync, writeFileSync } = require('node:fs');

process.on('exit', () => writeFileSync(process.env['BENCH_PEAK_MEMORY'] ?? '', String(peakMemory())));

// On Linux `maxRSS` may be that of the process which started this one, so the kernel is asked for our own.
function peakMemory() {
  return (readHighWaterMark() ?? process.resourceUsage().maxRSS) * 1024;
}

/** In kilobytes. Undefined where there is no such file. */
function readHighWaterMark() {
  try {
    const [, size] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'latin1')) ?? [];
    return size === undefined ? undefined : Number(size);
  } catch {
    return undefined;
  }
}
