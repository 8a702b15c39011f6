#!/usr/bin/env node
/** The program. Node ends with exit 13, never 0, if the awaited process has nothing left to wait for. */
import { runProcess } from './main.ts';

await runProcess();
