//! Checks that the processor supports the build's instruction sets. `.cargo/config.toml` builds for x86-64-v3 (Intel
//! since Haswell, AMD since Excavator): without the check an older one would end the program at some instruction, without a message.

/// An instruction set that the build uses and the processor lacks; none if all are supported.
pub fn missing_instructions() -> Option<&'static str> {
    #[cfg(target_arch = "x86_64")]
    {
        let processor = raw_cpuid::CpuId::new();
        let features = processor.get_feature_info();
        let extended = processor.get_extended_feature_info();
        // The processor is queried directly: for enabled features the standard library's detection answers at compile
        // time.
        let needed = [
            ("AVX2", cfg!(target_feature = "avx2"), extended.as_ref().is_some_and(|found| found.has_avx2())),
            ("BMI2", cfg!(target_feature = "bmi2"), extended.as_ref().is_some_and(|found| found.has_bmi2())),
            ("FMA", cfg!(target_feature = "fma"), features.as_ref().is_some_and(|found| found.has_fma())),
        ];
        needed.into_iter().find(|(_, is_used, is_there)| *is_used && !is_there).map(|(name, _, _)| name)
    }
    #[cfg(not(target_arch = "x86_64"))]
    None
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_test_machine_supports_the_build() {
        assert_eq!(super::missing_instructions(), None);
    }
}
